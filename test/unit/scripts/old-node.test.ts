/** An old Node must come as far as the message that it is too old. */
import { expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A file and all that it imports before its first line runs. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)"/gm);
  for (const [, path = ""] of imports) withImports(join(file, "..", path), found);
  return found;
}

it("nothing that a command starts with needs a newer Node than the check of its version", () => {
  const files = [...withImports("scripts/bootstrap.mjs")];
  expect(files).toContain("scripts/bootstrap/processes.mjs");
  // Node has it since 20.11.
  const newer = files.filter((file) => /import\.meta\.(dirname|filename)/.test(readFileSync(file, "utf8")));
  expect(newer).toEqual([]);
});
