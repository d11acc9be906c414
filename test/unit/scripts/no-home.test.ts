/** The message of the bootstrap if there is no folder for its cache. */
import { spawnSync } from "node:child_process";
import { expect, it } from "@jest/globals";

/** Runs code for a user without a home folder in the system, with these variables. */
function runWithout(program: string, env: Record<string, string>): string {
  const args = [
    "--input-type=module",
    "-e",
    `
    import os from "node:os";
    import { syncBuiltinESMExports } from "node:module";
    const { homedir } = os;
    os.homedir = () => {
      if (process.env.HOME !== undefined) return homedir();
      throw Object.assign(new Error("no such user"), { code: "ERR_SYSTEM_ERROR" });
    };
    syncBuiltinESMExports();
    process.getuid = () => 12345;
    ${program}`,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { PATH: process.env.PATH, ...env },
  });
  return stdout + stderr;
}

it.each([
  ["no home folder", {}],
  ["an empty one", { HOME: "" }],
])("with %s it says what to set", (_, env) => {
  const program = `
    const { cacheFolder } = await import("./scripts/bootstrap/run-folder.mjs");
    try { cacheFolder(); } catch ({ message }) { console.log(message); }`;
  expect(runWithout(program, env)).toBe(
    "This user has no home folder: set COMPANY_REGISTER_CACHE to a folder that you can write to.\n",
  );
});

it("looks for Java even without a home folder", () => {
  const program = `
    const { startElasticsearch } = await import("./scripts/engines/elasticsearch.mjs");
    await startElasticsearch({ task: { stage() {} } }).catch(({ message }) => console.log(message));`;
  const told = runWithout(program, { PATH: "/none", COMPANY_REGISTER_CACHE: "/dev/null" });
  expect(told).not.toContain("no such user");
});
