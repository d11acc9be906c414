/** The files of a watched folder: the groups in which they are loaded, their order, and what a group waits for. */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { missingParts } from "../../api/shared/values/parts.ts";
import { messageOf, SourceError } from "../../api/shared/runtime/errors.ts";
import { lastRuns, type LoadedFile } from "../history/loads.ts";
import { peekFile } from "../load/open-file.ts";
import type { SetFile, SetPart, SourceContext, SourceDefinition } from "../sources/define-source.ts";
import { partOf } from "../sources/frame.ts";

/** Files of one load: the parts of an edition, or one file. */
export interface FileGroup {
  names: string[];
  /** The same files, not read yet. */
  files: SetFile[];
  /** Undefined: the format is unknown; its load says why. */
  source: SourceDefinition | undefined;
  /** True: the load removes what the edition lacks. */
  isComplete: boolean;
}

// Hidden files, unfinished downloads, and our own report, which a person may move back with its files.
const NEVER_LOADED = /^\.|^report\.json$|\.(part|tmp|crdownload|filepart|partial|download)$/i;
// Sorts last: a file without a day counts as later than everything that was loaded before it.
const NO_DAY = "9999";

/** The names of the files that can be loaded, each with a stamp that changes whenever the file does. */
export async function listFiles(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const name of (await readdir(folder)).sort()) {
    if (NEVER_LOADED.test(name)) continue;
    // Does not follow links: the error for an unknown format quotes the file, and a link may lead to a secret of the
    // service. `openUnlinked` does not follow a link either that has replaced a file since.
    const found = await lstat(join(folder, name)).catch(() => undefined);
    // An empty file may be a download that has not begun.
    if (found?.isFile() && found.size > 0) files.set(name, [found.size, found.mtimeMs, found.ino].join("/"));
  }
  return files;
}

/** Groups files in the order in which to load them. `complete`: dated editions are loaded as with --complete. */
export async function groupFiles(folder: string, names: Iterable<string>, complete: boolean) {
  const groups = new Map<string, FileGroup>();
  for (const file of names) {
    const { source, context = {} } = await peekFile(join(folder, file)).catch(ifUnfit);
    const isComplete = complete && source?.completeness !== undefined && context.productionDate !== undefined;
    const key = keyOf(file, context, source);
    const group = groups.get(key) ?? { names: [], files: [], source, isComplete };
    group.names.push(file);
    group.files.push({ file, context, rows: 0, last: undefined, tally: {} });
    groups.set(key, group);
  }
  const byKey = ([a]: [string, unknown], [b]: [string, unknown]) =>
    a.localeCompare(b, "en", { numeric: true });
  return [...groups].sort(byKey).map(([, group]) => group);
}

function ifUnfit(error: unknown): { source?: SourceDefinition; context?: SourceContext } {
  if (error instanceof SourceError) return {};
  throw error;
}

/** Equal for parts of one edition. Sorts by day, then snapshots, updates, files of many kinds, then by name. */
function keyOf(name: string, context: SourceContext, source?: SourceDefinition): string {
  if (!source) return [NO_DAY, "unknown", name].join("/");
  const { product = "", edition = name, parts = "" } = partOf(context) ?? {};
  const rank = Number(source.isOrdered ?? false) + 2 * Number(!Array.isArray(source.fills));
  return [context.productionDate ?? NO_DAY, rank, source.name, product, edition, parts].join("/");
}

/**
 * Why a group cannot be loaded yet; undefined if it can. If a killed `watch` has left parts of a complete edition that
 * was loaded, these parts are loaded again alone, and the group is no longer complete. `fetchLoaded` is called only if
 * needed.
 */
export async function fetchWait(fetchLoaded: () => Promise<LoadedFile[]>, group: FileGroup) {
  const { source, isComplete, files } = group;
  const [first] = files;
  const { awaits } = source?.series ?? {};
  const isAlone = (first?.context.parts ?? 1) === 1;
  if (!source || !first || (isAlone && !isComplete && !awaits)) return undefined;
  const loaded = await fetchLoaded();
  const lacking = describeLacking(group, loaded);
  if (lacking !== undefined && isComplete && isLeft(group, loaded)) group.isComplete = false;
  else if (lacking !== undefined) return lacking;
  return awaits?.(first.context, lastRuns(loaded));
}

/** True if all these parts were in a load of the whole edition. */
function isLeft({ files, source }: FileGroup, loaded: readonly LoadedFile[]): boolean {
  const nameOf = (part?: SetPart) => part && `${part.edition}/${part.product ?? ""}/${part.part}`;
  const whole = loaded.filter(
    ({ of: { state, plan }, ...file }) =>
      state === "succeeded" && plan.isComplete && file.source === source?.name,
  );
  const names = new Set(whole.flatMap(({ part }) => nameOf(part) ?? []));
  return files.every(({ context }) => names.has(nameOf(partOf(context)) ?? ""));
}

function describeLacking({ files, source, isComplete }: FileGroup, loaded: LoadedFile[]): string | undefined {
  const own = files.map(({ context }) => partOf(context));
  const isOfEdition = (file: LoadedFile) =>
    file.source === source?.name && file.part?.edition === own[0]?.edition && file.of.state === "succeeded";
  // A part may follow parts that were loaded before, but a complete edition is one load.
  const before = isComplete ? [] : loaded.filter(isOfEdition).map(({ part }) => part);
  const lacking = missingParts([...own, ...before]);
  const { parts } = own[0] ?? {};
  if (parts !== undefined && lacking.length > 0)
    return `${parts - lacking.length} of the ${parts} parts of its edition are there`;
  if (lacking.length > 0) return `part ${lacking.join(", ")} of its edition is missing`;
  try {
    if (isComplete) source?.completeness?.requireWhole?.(files);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
