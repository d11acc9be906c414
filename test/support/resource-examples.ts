/** The files with the examples of resources. */
import { existsSync, readFileSync } from "node:fs";

// Resources of one table have their examples in one file, by name.
const SHARED = ["disqualified-officer", "person-with-significant-control"];

/** The example of a resource as its file has it; undefined where there is none. */
export function readExample(name: string): unknown {
  const own = `api/resources/${name}/example.json`;
  if (existsSync(own)) return parseFile(own);
  const shared = SHARED.map((folder) => parseFile(`api/resources/${folder}/examples.json`));
  return (Object.assign({}, ...shared) as Record<string, unknown>)[name];
}

function parseFile(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
