/** Runs a module, given as text, in a Node of its own: there it may change globals, and has other variables. */
import { spawnSync } from "node:child_process";

/** The arguments with which Node runs this module in the current folder; `args` are those of the module. */
export function moduleArgs(module: string, ...args: string[]): string[] {
  return ["--input-type=module", "-e", module, ...args];
}

/** Runs a module to its end; returns its exit code and what it printed. Without `env` it gets all variables. */
export function runModule(
  module: string,
  { args = [], ...options }: { args?: string[]; env?: NodeJS.ProcessEnv; uid?: number; gid?: number } = {},
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, moduleArgs(module, ...args), {
    encoding: "utf8",
    ...options,
  });
  return { status, stdout, stderr };
}
