/** Owns the comparison of a live index's mapping and settings with those of the code. Pure. */
import type { IndexDefinition } from "../../api/shared/definitions/define-index.ts";

/** A live index, as Elasticsearch returns it, with flat settings. */
interface Live {
  mappings: Record<string, unknown>;
  settings: Record<string, unknown>;
}

/** Places that differ, in the words of the code's files: `properties.name.type`, `settings.gc_deletes`. */
export function findDifferences(
  live: Live,
  { mappings, settings }: Pick<IndexDefinition, "mappings" | "settings">,
): string[] {
  const [asked, stored] = [flatten(mappings), flatten(live.mappings)];
  const paths = [...new Set([...asked.keys(), ...stored.keys()])];
  const wrong = paths.filter((path) => asked.get(path) !== stored.get(path));
  const unlike = [...flatten(settings)].filter(([path, value]) => {
    const found = live.settings[`index.${path}`];
    return String(found) !== value;
  });
  return [...wrong, ...unlike.map(([path]) => `settings.${path}`)];
}

/** Each value by its path. The engine writes some numbers and truths as text, and leaves out that an object is one. */
function flatten(value: unknown, path = ""): Map<string, string> {
  if (typeof value !== "object" || value === null) return new Map([[path, String(value)]]);
  const isObjectField = "properties" in value;
  const entries = Object.entries(value).flatMap(([key, member]) => {
    // What an index records of itself is the matter of other checks.
    if (path === "" && key === "_meta") return [];
    if (isObjectField && key === "type" && member === "object") return [];
    return [...flatten(member, path ? `${path}.${key}` : key)];
  });
  return new Map(entries);
}
