/** Drops sample files into a watched folder, runs `watch`, and reads what it has done with them. */
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, expect } from "@jest/globals";
import { watch, watchCommand } from "../../ingest/commands/watch.ts";
import type { CommandDefinition } from "../../ingest/commands/define-command.ts";
import { PARTS, PSC } from "./load-command.ts";
import type { CommandRun, TestRegister } from "./register.ts";
import { SAMPLE, SAMPLE_FILES } from "./sample-register.ts";

export const UPDATE = `${SAMPLE}/officers/Prod198_4322.dat`;
export const STREAMS = readdirSync(`${SAMPLE}/streams`)
  .filter((name) => name.endsWith(".ndjson"))
  .map((name) => `${SAMPLE}/streams/${name}`);
export const SNAPSHOTS = SAMPLE_FILES.filter((file) => !file.startsWith("psc/")).map(
  (file) => `${SAMPLE}/${file}`,
);
/** Every sample file, by load, in the order in which an operator would load them. */
export const IN_ORDER = [
  PARTS,
  ...SNAPSHOTS.map((file) => [file]),
  PSC,
  [UPDATE],
  ...STREAMS.map((file) => [file]),
];

/** A report.json beside the files that were moved to `done` or `failed`. */
export interface Report {
  load: string;
  state: string;
  files: string[];
  counts: { read: number; written: number; refused: number };
  reason?: string;
}

/** Reports of the loads in `done` or `failed`, each with the files there. */
export function listPutAway(inbox: string, outcome: "done" | "failed"): Report[] {
  const folder = join(inbox, outcome);
  return (existsSync(folder) ? readdirSync(folder) : []).map((load) => {
    const report = JSON.parse(readFileSync(join(folder, load, "report.json"), "utf8")) as Report;
    expect(report.load).toBe(load);
    const names = readdirSync(join(folder, load)).filter((name) => name !== "report.json");
    return { ...report, files: names };
  });
}

/** Puts a copy into the folder by a rename, so that the file is complete when it appears. */
export function drop(inbox: string, path: string, name = basename(path)): void {
  copyFileSync(path, join(inbox, `.${name}`));
  renameSync(join(inbox, `.${name}`), join(inbox, name));
}

/** Files that are still in the folder itself. */
export const listInbox = (inbox: string): string[] =>
  readdirSync(inbox, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && !entry.name.startsWith(".") ? entry.name : [],
  );

// Short, because the files are complete when the watch begins.
const REST_MS = 100;

/** Runs the watch with --once: until nothing more can be loaded. */
export const once = (
  register: TestRegister,
  inbox: string,
  options = {},
  isStopping?: () => boolean,
): Promise<CommandRun> => {
  const command: CommandDefinition = {
    ...watchCommand,
    run: (context, [path = ""], given) => watch({ context, path, given }, REST_MS),
  };
  return register.run(command, [inbox], { once: "true", ...options }, isStopping);
};

/**
 * Call it at the top of a file. The returned function starts a watch, and returns a function that stops it. The end of
 * the test stops it, too.
 */
export function watchesPerTest(): (register: TestRegister, inbox: string) => () => Promise<CommandRun> {
  // Stopped before the registers are closed.
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  return (register, inbox) => {
    let isStopping = false;
    const run = register.run(watchCommand, [inbox], { rest: "1" }, () => isStopping);
    const stop = () => {
      isStopping = true;
      return run;
    };
    stops.push(stop);
    return stop;
  };
}
