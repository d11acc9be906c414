/** Owns where the contract cases are: one folder per endpoint, one JSON file per case. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandError, messageOf } from "../../api/core/errors.ts";
import { checkCase, type ContractCase, type NamedCase } from "./contract-case.ts";

const CASES = join("test", "contract");

/** The folder of the cases: beside the sources, beside `dist` after a build, and in the image. */
export function findCasesFolder(start = import.meta.dirname): string {
  const folder = join(start, CASES);
  if (existsSync(folder)) return folder;
  const parent = dirname(start);
  if (parent === start)
    throw new CommandError(`there is no folder ${CASES} here or above; name one with --cases`);
  return findCasesFolder(parent);
}

/** All cases of a folder, in order of endpoint and name. Throws CommandError naming the file that is not one. */
export function readCases(folder: string): NamedCase[] {
  return endpointsIn(folder).flatMap((endpoint) =>
    readdirSync(join(folder, endpoint))
      .filter((file) => file.endsWith(".json"))
      .sort()
      .map((file) => readCase(folder, endpoint, file)),
  );
}

function endpointsIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch {
    throw new CommandError(`cannot read the cases: ${folder} is not a folder that can be read`);
  }
}

function readCase(folder: string, endpoint: string, file: string): NamedCase {
  const path = join(folder, endpoint, file);
  const content = parse(path);
  const fault = checkCase(content);
  if (fault) throw new CommandError(`${path}: ${fault.field} ${fault.reason}`);
  // Checked against the schema of a case just now.
  return { ...(content as ContractCase), endpoint, name: file.replace(/\.json$/, "") };
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (error) {
    throw new CommandError(`${path}: ${messageOf(error)}`);
  }
}
