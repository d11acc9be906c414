/** Owns the record of what the service's clients send to MongoDB while a suite of tests runs. */
import { channel } from "node:diagnostics_channel";
import { appendFileSync, readFileSync } from "node:fs";
import type { Document } from "mongodb";
import { notePartsOf } from "./parts.ts";

// As in api/shared/stores/mongodb/client.ts, which most unit suites need not load.
const CHANNEL = "company-register:mongodb-command";

/** Folder of the suites that use the engines. */
export const ENGINE_SUITES = "test/engine";

/** A part of a command, when a process sent it first. */
export interface Sent {
  suite: string;
  /** See `notePartsOf`. */
  part: string;
  command: string;
}

/** A line of the record of a whole run; without a part it says that the suite has ended. */
export type Line = Sent | Pick<Sent, "suite">;

/**
 * Records what this process sends from now on; the former record ends. `file`: the record of the whole run, which gets each part at
 * once, so that a process that is killed has said what it sent.
 */
export function record(suite: string, file: string | undefined): readonly Sent[] {
  const sent: Sent[] = [];
  const known = new Set<string>();
  const listen = (message: unknown) => {
    // The cast: what the channel carries.
    const [command = ""] = Object.keys(message as Document);
    notePartsOf(message as Document, (part) => {
      if (known.has(part)) return;
      known.add(part);
      sent.push({ suite, part, command });
      if (file !== undefined) writeLine(file, { suite, part, command });
    });
  };
  // The channel is the process's own, and outlives a suite, whose last commands come behind all that a suite can await.
  const commands: Channel = channel(CHANNEL);
  if (commands.listener) commands.unsubscribe(commands.listener);
  commands.listener = listen;
  commands.subscribe(listen);
  return sent;
}

type Channel = ReturnType<typeof channel> & { listener?: (message: unknown) => void };

/** Lines are short, so those of several processes do not mix. */
export function writeLine(file: string, line: Line): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** What the processes of a run have recorded so far. */
export function readLines(file: string): Line[] {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}
