/** The `load` command: its options, and the plan of a load. */
import { randomUUID } from "node:crypto";
import { open as openFile, unlink, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import type { Config } from "../../api/shared/settings/config.ts";
import { defineCommand, type GivenOptions } from "./define-command.ts";
import { CommandError, messageOf, SourceError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { beginLoad, type LoadRecord } from "../history/loads.ts";
import { planMends } from "../load/mends.ts";
import type { LoadRun } from "../load/open-file.ts";
import { openInput } from "../readers/open-input.ts";
import { ENCODINGS, type Encoding } from "../readers/read-rows.ts";
import { sources } from "../sources/index.ts";
import { fetchResumable, loadLocked, previewAndTell } from "./load-process.ts";

const STANDARD_INPUT = "-";
const PIPE = "pipe the bytes of a bulk file into it";
const DEFAULT_ENCODING = "utf-8";

export const loadCommand = defineCommand({
  name: "load",
  summary: "Load bulk files into the register.",
  effect: "writes",
  details:
    "Reads zip, gzip and plain files, or standard input for '-'. Each file is read to its end before any of it is\n" +
    "loaded, so a file that was cut off changes nothing. The exception is a plain company CSV: it states no total, so its\n" +
    "rows may be loaded up to the cut. Loading a file again changes nothing either.\n" +
    "Mended rows (--mends) are read as if they were at the end of the file in which they were refused, with its day. Once\n" +
    "they are loaded, the refused rows of that file are deleted; rows refused again belong to the new load. Refused rows are\n" +
    "also deleted when their corrected file is loaded, or a later edition with --complete.\n" +
    "Exit code: 0 all rows loaded, 2 some rows refused (they are stored, see refused-rows), 1 the load failed. --dry-run\n" +
    "has the same exit codes.\n\n" +
    `Formats:\n${sources.map((source) => `  ${source.name.padEnd(32)}${source.title}`).join("\n")}`,
  arguments: [{ name: "[file...]", description: "bulk files, in the order in which to load them" }],
  options: [
    {
      flags: "--as <format>",
      description: "format of the files, if their names and first lines do not show it",
      choices: sources.map((source) => source.name),
    },
    {
      flags: "--encoding <encoding>",
      description: "encoding of the files; latin1 also reads Windows-1252",
      choices: ENCODINGS,
      default: DEFAULT_ENCODING,
    },
    {
      flags: "--as-of <moment>",
      description:
        "rows of files without a day count as of then, such as 2026-11-20T09:00:00Z, not as of now",
    },
    { flags: "--complete", description: "the files are a whole edition: remove what it no longer has" },
    {
      flags: "--force",
      description:
        "load even if an edition is older than one loaded before or has far fewer rows (it then counts as an extract), many rows " +
        "are refused or daily updates are missing; with --complete: remove even if much is missing, rows were refused or the " +
        "name of the edition has no day",
    },
    { flags: "--unchecked", description: "load files even if their end, totals, encoding or day look wrong" },
    { flags: "--mends <load>", description: "the files are mended exports of this load's refused rows" },
    { flags: "--resume <load>", description: "continue an interrupted load; name no files" },
  ],
  example: "load BasicCompanyDataAsOneFile-2026-11-01.zip",
  run: async (context, files, given) => {
    guardOptions(files, given);
    const stores = context.openStores();
    if (given.dryRun) await stores.mongo.ping();
    const { open, remove } = await spoolStandardInput(files, process.stdin);
    try {
      const record = given.resume
        ? await fetchResumable(stores, given.resume)
        : await planLoad(stores, given, { files, config: context.config });
      const [isForced, isDryRun] = [Boolean(given.force), Boolean(given.dryRun)];
      const load = isDryRun ? previewAndTell : loadLocked;
      const openNamed = given.resume ? openAsNamed(record) : open;
      return await load({ context, stores, record, given, open: openNamed, isForced, isDryRun });
    } finally {
      await remove();
    }
  },
});

function guardOptions(files: string[], given: GivenOptions): void {
  const { as, asOf, encoding = DEFAULT_ENCODING, complete, unchecked, mends, resume, dryRun } = given;
  const other = as ?? asOf ?? complete ?? unchecked ?? encoding !== DEFAULT_ENCODING;
  const faults: [isWrong: unknown, fault: string][] = [
    [files.length === 0 && !resume, "name the files to load; --help says how"],
    [files.length > 0 && resume, "--resume continues with the files of the load: name none"],
    [complete && unchecked, "--complete cannot rely on unchecked files: leave --unchecked out"],
    [
      mends && (complete ?? resume ?? asOf),
      "--mends is for a loaded edition: leave --complete, --resume and --as-of out",
    ],
    [resume && other, "--resume keeps --as, --as-of, --encoding, --complete and --unchecked: leave them out"],
    [
      asOf !== undefined && !isPastMoment(asOf),
      `--as-of must be a moment in the past such as 2026-11-20T09:00:00Z, not "${asOf}"`,
    ],
    [dryRun && resume, "--dry-run looks at files, and --resume takes none: name the files without --resume"],
  ];
  const found = faults.find(([isWrong]) => isWrong);
  if (found) throw new CommandError(found[1]);
}

// `Date.parse` also accepts local time ("03/11/2026") and days that do not exist ("2026-02-31").
const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

function isPastMoment(text: string): boolean {
  const [, day] = MOMENT.exec(text) ?? [];
  const moment = new Date(text);
  return day !== undefined && moment.getTime() <= Date.now() && moment.toISOString().startsWith(day);
}

/** Copies standard input, if used, to a temporary file until `remove`, since each file is opened twice. */
export async function spoolStandardInput(files: string[], standardInput: Readable & { isTTY?: boolean }) {
  if (!files.includes(STANDARD_INPUT))
    return { open: (path: string) => openInput(path), remove: () => Promise.resolve() };
  if (standardInput.isTTY) throw new CommandError(`standard input is a terminal; ${PIPE}`);
  const copy = await openUnnamed();
  const remove = () => copy.close();
  try {
    const { stream, label } = await openInput(STANDARD_INPUT, standardInput);
    for await (const chunk of stream as AsyncIterable<Buffer>)
      await copy.writeFile(chunk).catch((error: unknown) => {
        throw toNoRoom(error);
      });
    const { size: totalBytes } = await copy.stat();
    if (totalBytes === 0) throw new SourceError(`${label} is empty; ${PIPE}`);
    const openCopy = () => copy.createReadStream({ start: 0, autoClose: false });
    const open: LoadRun["open"] = async (path) =>
      path === STANDARD_INPUT ? { ...(await openInput(path, openCopy())), totalBytes } : openInput(path);
    return { open, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Opens a temporary file and removes its name, so that it disappears when it is closed or its process is killed. */
async function openUnnamed(): Promise<FileHandle> {
  const path = join(tmpdir(), `company-register-${randomUUID()}`);
  try {
    const file = await openFile(path, "wx+", 0o600);
    await unlink(path);
    return file;
  } catch (error) {
    throw toNoRoom(error);
  }
}

function toNoRoom(error: unknown): CommandError {
  return new CommandError(
    `the temporary folder ${tmpdir()} (TMPDIR) has no room or cannot be written: ${messageOf(error)}. ` +
      "Free some room, or set TMPDIR to another folder",
    { cause: error },
  );
}

/** Opens the files of a load under the names with which it began, since `watch` moves files. */
function openAsNamed({ files, surveyed = [] }: LoadRecord): LoadRun["open"] {
  return async (path) => ({
    ...(await openInput(path)),
    label: surveyed[files.indexOf(path)]?.file ?? path,
  });
}

/** The record of a new load with these options. Throws CommandError if the load that it mends cannot be mended. */
export async function planLoad(
  stores: Stores,
  given: GivenOptions,
  { files, config }: { files: string[]; config: Config },
): Promise<LoadRecord> {
  const { as, asOf, encoding = DEFAULT_ENCODING, complete, unchecked, mends } = given;
  const mendPlan = mends && (await planMends(stores, mends));
  // Absolute paths: a relative one would name another file when the load is resumed from another folder.
  const paths = files.map((file) => (file === STANDARD_INPUT ? file : resolve(file)));
  return beginLoad(paths, config, {
    ...(as && { as }),
    encoding: encoding as Encoding, // one of the option's choices
    isComplete: Boolean(complete),
    ...(unchecked && { isUnchecked: true }),
    ...(asOf !== undefined && { asOf: new Date(asOf).toISOString() }),
    ...mendPlan,
  });
}
