/** The loads that are running, on any machine, with the step that each has reached. */
import type { Stores } from "../../api/shared/stores/index.ts";
import type { Lock } from "../../api/shared/stores/redis/locks.ts";
import { formatStep, type StepState } from "../pace.ts";
import { fetchLoad, loadLock } from "./loads.ts";

/** The progress that a running load reports. */
interface Report {
  step: StepState;
  /** Why no batch is being written; null if batches are written, or none is due. */
  waits: string | null;
}

export type RunningLoad = Awaited<ReturnType<typeof fetchRunning>>[number];

/** Stores the progress of a load with its lock, so that it disappears when the load ends or dies. */
export async function reportStep({ note }: Lock, report: Report): Promise<void> {
  // A report that cannot be stored must not fail the load; the next one follows after a second.
  await note(JSON.stringify(report)).catch(() => undefined);
}

/**
 * The running loads and undos, oldest first, without `follow`. `sources`: names of the formats, empty while the files
 * are checked. `step`: null at the very beginning of a load, and during an undo.
 */
export async function fetchRunning({ mongo, redis }: Stores) {
  const prefix = loadLock("");
  const names = (await redis.locks.list()).filter((name) => name.startsWith(prefix)).sort();
  const notes = await redis.locks.fetchNotes(names);
  const running = [];
  for (const [position, name] of names.entries()) {
    const record = await fetchLoad(mongo.documents, name.slice(prefix.length));
    if (!record || record.plan.isFollowing) continue;
    const { _id: load, files, surveyed = [], started_at, state } = record;
    const note = notes[position];
    // The cast: notes of loads are written above.
    const { step = null, waits = null } = (note ? JSON.parse(note) : {}) as Partial<Report>;
    const sources = [...new Set(surveyed.map(({ source }) => source))];
    running.push({ load, files, sources, started_at, step, waits, isUndo: state === "undone" });
  }
  return running;
}

/** Describes the progress of a load for people. */
export function formatProgress({ step, waits, isUndo }: RunningLoad): string {
  if (isUndo) return "being undone";
  if (!step) return "beginning";
  return formatStep(step) + (waits === null ? "" : `: ${waits}`);
}

/** `a.csv and 2 more (company-csv)`. */
export function formatFiles({ files, sources }: Pick<RunningLoad, "files" | "sources">): string {
  const [first = "", ...others] = files;
  const named = others.length > 0 ? `${first} and ${others.length} more` : first;
  return named + (sources.length > 0 ? ` (${sources.join(", ")})` : "");
}
