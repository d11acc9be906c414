/** Owns the `load` command: what may be asked of it, what it refuses before anything begins, and the plan that a load follows. */
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Config } from "../../api/core/config.ts";
import { defineCommand, type GivenOptions } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { isUndone, newLoadId, noCounts, requireLoad, type LoadRecord } from "../history/loads.ts";
import { planMends } from "../load/mends.ts";
import type { LoadRun } from "../load/open-file.ts";
import { openInput } from "../readers/open-input.ts";
import { ENCODINGS, type Encoding } from "../readers/read-rows.ts";
import { sources } from "../sources/index.ts";
import { loadLocked, previewAndTell } from "./load-process.ts";

const STANDARD_INPUT = "-";
// What is asked for when nothing is.
const DEFAULT_ENCODING = "utf-8";

export const loadCommand = defineCommand({
  name: "load",
  summary: "Load bulk files into the register.",
  effect: "writes",
  details:
    "Reads zip, gzip and plain files, or standard input for '-'. Each file is read to its end before any of it is\n" +
    "loaded: one that was cut off changes nothing. Loading a file again changes nothing either.\n" +
    "Mended rows (--mends) are read as the file in which they were refused, of its day and behind its other rows. Once\n" +
    "they are loaded, the refused rows of that file go: those that are refused again are kept of the new load.\n" +
    "--dry-run compares each batch with what is stored now, not with what earlier batches would write: a record that rows\n" +
    "of several batches name is counted for each of them, and changes to a record that the load itself brings find none.\n" +
    "Exit code: 0 all rows loaded, 2 some rows refused (they are kept, see dead-letters), 1 the load failed.\n\n" +
    `Formats:\n${sources.map((source) => `  ${source.name.padEnd(32)}${source.title}`).join("\n")}`,
  arguments: [{ name: "[file...]", description: "bulk files in the order in which they are to be loaded" }],
  options: [
    {
      flags: "--as <format>",
      description: "format of the files, where name and first line do not tell",
      choices: sources.map((source) => source.name),
    },
    {
      flags: "--encoding <encoding>",
      description: "encoding of the files",
      choices: ENCODINGS,
      default: DEFAULT_ENCODING,
    },
    {
      flags: "--complete",
      description: "the files are a whole edition: remove what it no longer holds, once all of it is loaded",
    },
    {
      flags: "--force",
      description:
        "load although an edition has far fewer rows than the one before, many rows are refused or daily updates are " +
        "missing, and compare every row with what is stored; with --complete: remove although much is lacking, rows were " +
        "refused, the edition is older than one loaded before or its name tells no day",
    },
    {
      flags: "--unchecked",
      description:
        "load a file although its end is missing, its trailer or totals do not add up, or its encoding seems another",
    },
    {
      flags: "--mends <load>",
      description:
        "the files are those of dead-letters export of this load, mended: they count as its own rows",
    },
    { flags: "--resume <load>", description: "go on with a load that was broken off; name no files" },
    { flags: "--dry-run", description: "check the files and say what would change; write nothing" },
    { flags: "--json", description: "print the outcome as JSON" },
  ],
  example: "load BasicCompanyDataAsOneFile-2026-11-01.zip",
  run: async (context, files, given) => {
    guardOptions(files, given);
    const stores = context.openStores();
    if (given.dryRun) await stores.mongo.ping();
    const { open, remove } = await spoolStandardInput(files, process.stdin);
    try {
      const record = given.resume
        ? await fetchResumable(stores, given.resume, given)
        : await planLoad(stores, given, { files, config: context.config });
      const [isForced, isDryRun] = [Boolean(given.force), Boolean(given.dryRun)];
      const load = isDryRun ? previewAndTell : loadLocked;
      return await load({ context, stores, record, given, open, isForced, isDryRun });
    } finally {
      await remove();
    }
  },
});

/** Throws CommandError for what contradicts itself. */
function guardOptions(files: string[], { complete, unchecked, mends, resume, dryRun }: GivenOptions): void {
  const faults: [isWrong: unknown, fault: string][] = [
    [files.length === 0 && !resume, "name the files to load; --help says how"],
    [files.length > 0 && resume, "--resume goes on with the files that its load began with: name none"],
    [
      complete && unchecked,
      "--complete removes what a file does not hold, so its end must be checked: leave --unchecked out",
    ],
    [
      mends && (complete ?? resume),
      "--mends loads rows of an edition that has been loaded: leave --complete and --resume out",
    ],
    [dryRun && resume, "--dry-run looks at files, and --resume takes none: name the files without --resume"],
  ];
  const found = faults.find(([isWrong]) => isWrong);
  if (found) throw new CommandError(found[1]);
}

/** Keeps standard input, where it is among the files, in a temporary file until `remove`: each file is opened twice by `open`. */
export async function spoolStandardInput(
  files: string[],
  standardInput: Readable,
): Promise<{ open: LoadRun["open"]; remove: () => Promise<void> }> {
  if (!files.includes(STANDARD_INPUT))
    return { open: (path) => openInput(path), remove: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), "company-register-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const spooled = join(folder, "standard input");
    // Unpacked once: what is kept is the bulk file itself.
    const { stream, label, name } = await openInput(STANDARD_INPUT, standardInput);
    await pipeline(stream, createWriteStream(spooled));
    const open: LoadRun["open"] = async (path) =>
      path === STANDARD_INPUT ? { ...(await openInput(spooled)), label, name } : openInput(path);
    return { open, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function planLoad(
  stores: Stores,
  given: GivenOptions,
  { files, config }: { files: string[]; config: Config },
): Promise<LoadRecord> {
  const { as, encoding = DEFAULT_ENCODING, complete, unchecked, mends } = given;
  const mendPlan = mends && (await planMends(stores, mends));
  const now = new Date();
  return {
    _id: newLoadId(now, Math.random()),
    state: "running",
    files,
    started_at: now.toISOString(),
    counts: noCounts(),
    plan: {
      ...(as && { as }),
      encoding: encoding as Encoding, // one of the option's choices
      limits: { rows: config.BATCH_ROWS, bytes: config.BATCH_BYTES },
      // Drawn as the load begins.
      revision: 0,
      isComplete: Boolean(complete),
      ...(unchecked && { isUnchecked: true }),
      ...(mendPlan && { mends: mendPlan }),
    },
  };
}

async function fetchResumable({ mongo }: Stores, id: string, given: GivenOptions): Promise<LoadRecord> {
  const record = await requireLoad(mongo.documents, id);
  if (record.state === "succeeded")
    throw new CommandError(`the load ${id} has succeeded: there is nothing to go on with`);
  if (isUndone(record)) throw new CommandError(`the load ${id} was undone: load the files anew`);
  if (record.files.includes(STANDARD_INPUT))
    throw new CommandError(`the load ${id} read standard input, which is gone: load it anew`);
  // It goes on as it began, so that what is asked for beside must be what it began with.
  const { as, encoding = DEFAULT_ENCODING, complete, unchecked } = given;
  const { plan } = record;
  const other = [
    as !== undefined && as !== plan.as && `as ${as}`,
    encoding !== DEFAULT_ENCODING && encoding !== plan.encoding && `encoding ${encoding}`,
    complete && !plan.isComplete && "complete",
    unchecked && !plan.isUnchecked && "unchecked",
  ].find(Boolean);
  if (other)
    throw new CommandError(`the load ${id} began without --${other}: leave it out, or load the files anew`);
  delete record.reason;
  delete record.finished_at;
  return { ...record, state: "running" };
}
