/** Finds the files to load again after a load was undone, and the commands that load them. */
import { records } from "../../api/resources/index.ts";
import {
  filesOf,
  isOverlapping,
  type LoadedFile,
  type LoadFacts,
  type LoadPlan,
  type LoadRecord,
  type SurveyedFile,
} from "../history/loads.ts";
import { findSource } from "../sources/index.ts";
import { streamingEvents } from "../sources/streaming-events.ts";

/** The identities (`contentKeyOf`) of all files that a load has read. */
export function contentKeysOf({ surveyed = [], plan }: Pick<LoadFacts, "surveyed" | "plan">): string[] {
  return surveyed.flatMap((file) => contentKeyOf(file, plan) ?? []);
}

/**
 * Identifies the rows of a file and how they were read. Equal wherever the file was, since `watch` moves files.
 * Undefined if a former release has stored no checksum: a file of the same name and size may have been corrected.
 */
export function contentKeyOf(file: SurveyedFile, { encoding }: LoadPlan): string | undefined {
  const { source, rows, checksum, production_date: day } = file;
  return checksum === undefined ? undefined : JSON.stringify([source, rows, day, checksum, encoding]);
}

/** The collections that a file fills. For a stream these are all collections, since its rows may be of any kind. */
export function fillsOf({ source, fills }: SurveyedFile): readonly string[] {
  const { fills: kinds } = findSource(source);
  return fills ?? (typeof kinds === "function" ? records : kinds).map(({ collection }) => collection);
}

const STANDARD_INPUT = "-";
// Sorts after all days.
const ANY_DAY = "~";

/**
 * Lists the files of other loads with records of the same kinds, oldest first; of each source, those from its last
 * complete edition on. A file without a day, loaded again, counts as later than the editions of its time. So the
 * editions that were loaded after it are listed as well, whichever of its kinds they fill.
 * Limits: events of that time would have to follow as well, but are not loaded again. If a complete edition before
 * the last one removed values of the file, they come back in records that the last edition has.
 */
export function listFormer(load: LoadRecord, latestFirst: readonly LoadFacts[]) {
  const { _id, surveyed = [] } = load;
  const undone = new Set(contentKeysOf(load));
  // For each kind, the latest day of an edition that is loaded again.
  const kinds = new Map(surveyed.flatMap(fillsOf).map((kind) => [kind, ANY_DAY]));
  const others = filesOf(latestFirst.toReversed()).filter((file) => {
    const { of, mends, production_date: day = "" } = file;
    const fills = fillsOf(file);
    const untilOf = (kind: string) => kinds.get(kind) ?? "";
    const isEarlierEdition = fills.some((kind) => kinds.has(kind) && day <= untilOf(kind));
    if (of._id === _id || undone.has(contentKeyOf(file, of.plan) ?? "")) return false;
    if (mends !== undefined || !isEarlierEdition) return false;
    for (const kind of isUndated(file) ? fills : [])
      if (untilOf(kind) < of.started_at) kinds.set(kind, of.started_at);
    return true;
  });
  return others.filter((file) => !others.some((later) => isReplacing(later, file)));
}

/** True if `later` is the same file loaded later, or part of a later load of a complete edition of no earlier day. */
function isReplacing(later: LoadedFile, earlier: LoadedFile): boolean {
  const { of, source, path, scope, part, production_date: day = "" } = earlier;
  if (later.of._id <= of._id) return false;
  const isSame = later.source === source;
  if (!isRemoving(later.of)) return isSame && later.path === path && !isRemoving(of);
  const kinds = fillsOf(earlier);
  const isOfKind = fillsOf(later).some((kind) => kinds.includes(kind));
  if (!isOfKind || (later.production_date ?? ANY_DAY) < day) return false;
  if (findSource(source).isOrdered) return !findSource(later.source).isOrdered;
  return isSame && (later.scope ?? scope) === scope && later.part?.product === part?.product;
}

/** True if the rows count as of the moment of their load. Events have moments of their own. */
function isUndated({ source, production_date: day }: LoadedFile): boolean {
  return day === undefined && source !== streamingEvents.name;
}

function isRemoving({ plan, state }: Pick<LoadRecord, "plan" | "state">): boolean {
  return plan.isComplete && state === "succeeded";
}

/** Quotes the name of a file for a shell, so that no program takes it for an option. */
function quote(file: string): string {
  const name = file.startsWith("-") ? `./${file}` : file;
  return /[^\w./:-]/.test(name) ? `'${name.replaceAll("'", String.raw`'\''`)}'` : name;
}

/** True for standard input, and for streams that were followed. */
function isGone({ of, path }: LoadedFile): boolean {
  return path === STANDARD_INPUT || of.plan.isFollowing === true;
}

/** Describes the files that cannot be loaded again, with their loads. */
export function listGone(former: readonly LoadedFile[]): string[] {
  return former
    .filter(isGone)
    .map(({ of, path, file }) => `${path === STANDARD_INPUT ? file : path} (load ${of._id})`);
}

/** The commands that load these files again with the same options. Leaves out files that cannot be loaded again. */
export function commandsFor(listed: readonly LoadedFile[]): string[] {
  const former = listed.filter((file) => !isGone(file));
  const loads = [...new Set(former.map(({ of }) => of))];
  return loads.map((of) => {
    const { as, encoding, isUnchecked, asOf = of.started_at } = of.plan;
    const files = former.filter((file) => file.of === of);
    const names = new Set(files.map(({ path }) => quote(path)));
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

function isOlder({ source, scope, production_date: day = ANY_DAY }: LoadedFile, other: LoadedFile): boolean {
  return source === other.source && isOverlapping(scope, other.scope) && day < (other.production_date ?? "");
}
