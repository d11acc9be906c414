/** Reads the API-shaped files of the sample for unit tests, and normalises their lines by the rules of a record. */
import { readFileSync } from "node:fs";
import type {
  IndexKeys,
  RecordDefinition,
  StoredRecord,
} from "../../api/shared/definitions/define-record.ts";
import type { IncomingResource } from "../../api/shared/definitions/incoming-resource.ts";
import { toStored } from "./stored.ts";
import { SAMPLE } from "./sample-register.ts";

interface Envelope {
  resource_kind: string;
  resource_uri: string;
  resource_id: string;
  data: Record<string, unknown>;
}

/** The resources of a sample file; `path` is relative to `test/fixtures/register`. */
export function readSamples(path: string): IncomingResource[] {
  const lines = readFileSync(`${SAMPLE}/${path}`, "utf8").split("\n");
  return lines.filter(Boolean).map((line) => {
    const { resource_kind, resource_uri, resource_id, data } = JSON.parse(line, leaveOutNull) as Envelope;
    return { kind: resource_kind, uri: resource_uri.replace(/^\/?/, "/"), id: resource_id, data };
  });
}

/** The stored records of resources; a later one replaces an earlier one. Throws if one is refused, and names it. */
export function storeAll<D, K extends IndexKeys>(
  record: RecordDefinition<D, K>,
  resources: IncomingResource[],
): StoredRecord<D, K>[] {
  const stored = resources.map((resource) => storeOne(record, resource));
  return [...new Map(stored.map((item) => [item._id, item])).values()];
}

/** The stored record of one resource; throws if it is refused, and says why. */
export function storeOne<D, K extends IndexKeys>(
  record: RecordDefinition<D, K>,
  resource: IncomingResource,
): StoredRecord<D, K> {
  const data = record.incoming?.normalise(resource, []);
  const fault = record.check(data);
  if (fault) throw new Error(`${resource.uri} ${fault.field}: ${fault.reason}`);
  // The cast: the check above shows that the data has the record's own type.
  return toStored(record, data, 1) as StoredRecord<D, K>;
}

function leaveOutNull(_member: string, value: unknown): unknown {
  return value ?? undefined;
}
