/**
 * A made-up resource for tests of versioning: version 0 has expired, 1 is deprecated, 2 is current. As in a real
 * resource, each version is an object with its schema and its presenter, and the newest is part of the definition.
 */
import { defineRecord } from "../../api/shared/definitions/define-record.ts";
import { defineResource, type ResourceVersion } from "../../api/resources/define-resource.ts";
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";

interface Lantern {
  name: string;
}

type StoredLantern = StoredRecord<Lantern>;

const LANTERN_ETAG = "0123456789abcdef0123456789abcdef01234567";
export const storedLantern: StoredLantern = {
  _id: "one",
  etag: LANTERN_ETAG,
  revision: 1,
  data: { name: "One" },
};

const lanternRecord = defineRecord<Lantern, Record<never, string>>({
  name: "lantern",
  collection: "lanterns",
  schema: { type: "object" },
  identify: ({ name }) => name,
  keysOf: () => ({}),
  indexes: [],
});

const schemaOf = (member: string) => ({
  type: "object",
  additionalProperties: false,
  required: ["etag", member],
  properties: { etag: { type: "string" }, [member]: { type: "string" } },
});

const version1: ResourceVersion<StoredLantern> = {
  version: 1,
  schema: schemaOf("name"),
  deprecation: { expiresOn: "2027-02-21" },
  present: ({ etag, data }) => ({ etag, name: data.name }),
};

const version2: ResourceVersion<StoredLantern> = {
  version: 2,
  schema: schemaOf("lantern_name"),
  present: ({ etag, data }) => ({ etag, lantern_name: data.name }),
};

export const lantern = defineResource({
  name: "lantern",
  aliases: ["lamp", "light"],
  scope: "company.read",
  path: "/lanterns/:lantern_id",
  summary: "A lantern, for tests.",
  record: lanternRecord,
  notFound: "lantern-not-found",
  read: (records, { lantern_id = "" }) => records.fetchOne(lanternRecord, { _id: lantern_id }),
  hasEtag: true,
  ...version2,
  olderVersions: [version1],
  example: { etag: LANTERN_ETAG, lantern_name: "One" },
});

/** The list of lanterns. */
export const lanternList = defineResource({
  name: "lantern-list",
  scope: "company.read",
  path: "/lanterns",
  summary: "All lanterns, for tests.",
  record: lanternRecord,
  notFound: "lanterns-not-found",
  read: (records) => records.fetchPage(lanternRecord, { filter: {}, sort: [], skip: 0, limit: 10 }),
  hasEtag: true,
  schema: { type: "object" },
  present: (found) => ({ items: found.map(({ data }) => data.name) }),
  example: { items: ["One"] },
});
