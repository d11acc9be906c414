/** An old Node must get as far as the message that it is too old. */
import { expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runModule } from "../../support/run-module.ts";

/** A file and all that it imports before its first line runs. */
function withImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)"/gm);
  for (const [, path = ""] of imports) withImports(join(file, "..", path), found);
  return found;
}

it("no file that runs before the version check needs a newer Node than the check itself", () => {
  const files = [...withImports("scripts/bootstrap.mjs")];
  expect(files).toContain("scripts/bootstrap/processes.mjs");
  // Node has these two since 20.11.
  const newer = files.filter((file) => /import\.meta\.(dirname|filename)/.test(readFileSync(file, "utf8")));
  expect(newer).toEqual([]);
});

it.each([
  ["18.20.8", false],
  ["20.18.3", false],
  ["20.19.0", true],
  // Versions without zlib.crc32 (new in 20.15 and 22.2), and versions that packages refuse.
  ["21.7.3", false],
  ["22.1.0", false],
  ["22.12.0", false],
  ["22.13.0", true],
  ["23.11.1", false],
  ["24.0.0", true],
])("the bootstrap accepts Node %s: %s", (version, isAccepted) => {
  const program = `
    const node = { ...process.versions, node: "${version}" };
    Object.defineProperty(process, "versions", { value: node });
    process.argv.splice(1, 0, "bootstrap", "nothing");
    await import("./scripts/bootstrap.mjs");`;
  expect(runModule(program).stderr).toContain(
    isAccepted ? 'no command "nothing"' : `needs Node 20.19, 22.13, 24 or newer; this is ${version}`,
  );
});

it("package.json names the versions of Node that the bootstrap accepts", () => {
  const { engines } = JSON.parse(readFileSync("package.json", "utf8")) as { engines: { node: string } };
  expect(engines.node).toBe("^20.19 || ^22.13 || >=24");
});
