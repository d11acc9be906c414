/** What to load again after an undo: a record keeps no statement that a later one has replaced. */
import { records } from "../../api/resources/index.ts";
import {
  filesOf,
  isOverlapping,
  type LoadedFile,
  type LoadRecord,
  type SurveyedFile,
} from "../history/loads.ts";
import { findSource } from "../sources/index.ts";
import { streamingEvents } from "../sources/streaming-events.ts";

/** The collections that a file fills; all, if an earlier release loaded it and its rows may be of any kind. */
export function fillsOf({ source, fills }: SurveyedFile): readonly string[] {
  const { fills: kinds } = findSource(source);
  return fills ?? (typeof kinds === "function" ? records : kinds).map(({ collection }) => collection);
}

// After all days.
const ANY_DAY = "~";

/**
 * The files of other loads with records of the same kinds, oldest first; each source's from its last complete edition on.
 * A file without a day counts, loaded again, as later than the editions of its time: those that were loaded after it follow,
 * whichever of its kinds they fill.
 * Limits: so does an event of its time, which is not loaded again; values of it that a complete edition before the last one
 * removed come back with a record that the last one has.
 */
export function listFormer({ _id, surveyed = [] }: LoadRecord, latestFirst: readonly LoadRecord[]) {
  // Kinds, and the latest day of the files of each that are loaded again.
  const kinds = new Map(surveyed.flatMap(fillsOf).map((kind) => [kind, ANY_DAY]));
  const others = filesOf(latestFirst.toReversed()).filter((file) => {
    const { of, mends, production_date: day = "" } = file;
    const fills = fillsOf(file);
    const untilOf = (kind: string) => kinds.get(kind) ?? "";
    const isEarlierEdition = fills.some((kind) => kinds.has(kind) && day <= untilOf(kind));
    if (of._id === _id || mends !== undefined || !isEarlierEdition) return false;
    for (const kind of isUndated(file) ? fills : [])
      if (untilOf(kind) < of.started_at) kinds.set(kind, of.started_at);
    return true;
  });
  return others.filter((file) => !others.some((later) => isReplacing(later, file)));
}

/** True when a file is a later load of the other one, or part of a later complete edition. */
function isReplacing(later: LoadedFile, { of, source, file, scope, part }: LoadedFile): boolean {
  if (later.of._id <= of._id) return false;
  const isSame = later.source === source;
  if (!isRemoving(later.of)) return isSame && later.file === file && !isRemoving(of);
  if (findSource(source).isOrdered) return !findSource(later.source).isOrdered;
  return isSame && (later.scope ?? scope) === scope && later.part?.product === part?.product;
}

/** True where rows count as of their load. Events have moments of their own. */
function isUndated({ source, production_date: day }: LoadedFile): boolean {
  return day === undefined && source !== streamingEvents.name;
}

function isRemoving({ plan, state }: LoadRecord): boolean {
  return plan.isComplete && state === "succeeded";
}

/** The commands that load these files again as they were loaded. Events of `follow` cannot be loaded again. */
export function commandsFor(former: readonly LoadedFile[]): string[] {
  const loads = [...new Set(former.map(({ of }) => of))].filter(({ plan }) => !plan.isFollowing);
  return loads.map((of) => {
    const { as, encoding, isUnchecked, asOf = of.started_at } = of.plan;
    const files = former.filter((file) => file.of === of);
    const names = new Set(files.map(({ file }) => (/[^\w./:-]/.test(file) ? `'${file}'` : file)));
    const options = [
      as !== undefined && `--as ${as}`,
      encoding !== "utf-8" && `--encoding ${encoding}`,
      isUnchecked && "--unchecked",
      files.some(isUndated) && `--as-of ${asOf}`,
      isRemoving(of) && "--complete",
      files.some((file) => former.some((other) => isOlder(file, other))) && "--force",
    ];
    return ["npm run cli -- load", ...names, ...options.filter(Boolean)].join(" ");
  });
}

function isOlder({ source, scope, production_date: day = "~" }: LoadedFile, other: LoadedFile): boolean {
  return source === other.source && isOverlapping(scope, other.scope) && day < (other.production_date ?? "");
}
