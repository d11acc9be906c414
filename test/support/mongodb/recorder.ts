/** Records what the service's clients send to MongoDB while a suite runs. */
import { channel } from "node:diagnostics_channel";
import { appendFileSync, closeSync, openSync, readFileSync } from "node:fs";
import type { Document } from "mongodb";
import { notePartsOf } from "./parts.ts";

// Same name as in api/shared/stores/mongodb/client.ts; not imported, because most unit suites need not load that file.
export const CHANNEL = "company-register:mongodb-command";

/** Folder of the suites that use the engines. */
export const ENGINE_SUITES = "test/engine";

/** A part of a command, recorded when a process sends it for the first time. */
export interface Sent {
  suite: string;
  /** See `notePartsOf`. */
  part: string;
  command: string;
}

/** A line of the record of a whole run; a line without a part says that the suite has ended. */
export type Line = Sent | Pick<Sent, "suite">;

/**
 * Records what this process sends from now on, in place of the former record. `file` is the record of the whole run.
 * Each part is written to it at once, so that a process that is killed has recorded what it sent.
 */
export function record(suite: string, file: string | undefined): readonly Sent[] {
  const sent: Sent[] = [];
  const known = new Set<string>();
  // Opened at once, because a test may run as a user who cannot open it.
  const open = file === undefined ? undefined : openSync(file, "a");
  const listen = (message: unknown) => {
    // The cast: the channel carries commands.
    const [command = ""] = Object.keys(message as Document);
    notePartsOf(message as Document, (part) => {
      if (known.has(part)) return;
      known.add(part);
      sent.push({ suite, part, command });
      if (open !== undefined) writeLine(open, { suite, part, command });
    });
  };
  // The channel belongs to the process and outlives a suite, whose last commands come after everything a suite can
  // await.
  const commands: Channel = channel(CHANNEL);
  commands.end?.();
  commands.subscribe(listen);
  commands.end = () => {
    commands.unsubscribe(listen);
    if (open !== undefined) closeSync(open);
  };
  return sent;
}

type Channel = ReturnType<typeof channel> & { end?: () => void };

/** Appends a line to a file, or to an open one; lines are short, so those of several processes do not mix. */
export function writeLine(file: string | number, line: Line): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** The lines that the processes of a run have recorded so far. */
export function readLines(file: string): Line[] {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}
