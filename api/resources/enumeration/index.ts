/** Owns GET /enumerations/{name}: the codes of one list of the API, with their texts. Not in the original. */
import { enumerationKeys, enumerationLabel, enumerationNames } from "../../core/enumerations.ts";
import { defineResource } from "../define-resource.ts";
import { version1, type EnumerationRead } from "./v1.ts";
import example from "./example.json" with { type: "json" };

export const enumeration = defineResource({
  name: "enumeration",
  path: "/enumerations/:enumeration_name",
  scope: "search.read",
  isOpen: true,
  summary: "The codes of one list of the API, with their words.",
  parameters: {},
  notFound: "enumeration-not-found",
  read: (_records, { enumeration_name: given }): Promise<EnumerationRead | null> => {
    const name = enumerationNames().find((other) => other === given);
    if (!name) return Promise.resolve(null);
    const codes = enumerationKeys(name).map((code) => {
      const words = enumerationLabel(name, code) ?? "";
      return { code, words: words === "" ? null : words };
    });
    return Promise.resolve({ name, codes });
  },
  // Its ETag is the hash of its content, because it has items.
  etag: () => undefined,
  versions: [version1],
  example,
});
