/** Reads the example files of resources. */
import { existsSync, readFileSync } from "node:fs";

// Folders with several resources, which have all their examples in one file, by name.
const SHARED = [
  ...["charge", "disqualified-officer", "enumeration", "filing-history"],
  ...["person-with-significant-control", "psc-statement"],
];

/** The example of a resource; undefined if there is none. */
export function readExample(name: string): unknown {
  const own = `api/resources/${name}/example.json`;
  if (existsSync(own)) return parseFile(own);
  const shared = SHARED.map((folder) => parseFile(`api/resources/${folder}/examples.json`));
  return (Object.assign({}, ...shared) as Record<string, unknown>)[name];
}

function parseFile(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
