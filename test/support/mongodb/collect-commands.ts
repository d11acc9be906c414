/** Collects the commands that this process sends to MongoDB while something runs. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { CHANNEL } from "./recorder.ts";

/** The parts of a command that tests check; the name of the command holds its collection. */
export interface Command {
  [name: string]: unknown;
  filter?: Record<string, unknown>;
  pipeline?: unknown[];
}

/** Runs the work, and returns the commands that were sent meanwhile, in order. */
export async function collectCommands(work: () => Promise<unknown>): Promise<Command[]> {
  const sent: Command[] = [];
  // The cast: the channel carries commands.
  const note = (message: unknown) => void sent.push(message as Command);
  subscribe(CHANNEL, note);
  await work().finally(() => unsubscribe(CHANNEL, note));
  return sent;
}
