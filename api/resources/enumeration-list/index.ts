/** Owns GET /enumerations: the names of the API's lists of codes. Not in the original. */
import { enumerationKeys, enumerationNames } from "../../core/enumerations.ts";
import { defineResource } from "../define-resource.ts";
import { version1, type EnumerationListRead } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const enumerationList = defineResource({
  name: "enumeration-list",
  path: "/enumerations",
  scope: "search.read",
  isOpen: true,
  summary: "The lists of codes in answers, with their words.",
  parameters: {},
  notFound: "resource-not-found",
  read: (): Promise<EnumerationListRead> =>
    Promise.resolve(enumerationNames().map((name) => ({ name, count: enumerationKeys(name).length }))),
  // Its ETag is the hash of its content, because it has items.
  etag: () => undefined,
  versions: [version1],
  example,
});
