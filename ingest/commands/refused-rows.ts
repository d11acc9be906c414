/** The `refused-rows` commands. */
import { mkdir, open, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { formatCount, formatNumber } from "../../api/shared/runtime/format.ts";
import { confirm, defineGroup, parseWholeNumber } from "./define-command.ts";
import { CommandError, isPassing, messageOf } from "../../api/shared/runtime/errors.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import {
  countReasons,
  countRefusedRows,
  exportRows,
  fetchRefusedRow,
  fetchRefusedRows,
  listRefusedFiles,
  listRefusing,
  readRefusedRows,
  removeKeptRows,
  type RefusedRow,
  type RefusedFile,
} from "../refused-rows/refused-rows.ts";
import { EXAMPLE_LOAD, fetchLoad, requireLoad, writeLoad, type LoadRecord } from "../history/loads.ts";
import { formatRefusedRow, formatRow, showRow } from "../progress.ts";

const ABOUT = "Rows that loads refused: export them, mend the file, then load FILE --mends LOAD.";
const LOAD = { name: "<load>", description: "id of the load" };
// Limit: how many reasons are listed for people; --json prints all.
const SHOWN_REASONS = 10;

export const refusedRowsCommands = defineGroup("refused-rows", ABOUT, {
  list: {
    summary: "List the loads that have refused rows, or the refused rows of one load.",
    effect: "reads",
    details:
      "With --json it prints one JSON object per line. For a row it has file, line, source, reason, field and the row itself\n" +
      "(text; or bytes in base64 if it could not be decoded).",
    arguments: [{ name: "[load]", description: "id of the load, as the load command prints it" }],
    options: [
      { flags: "--reason <text>", description: "only rows whose reason or field contains this text" },
      { flags: "--limit <count>", description: "list at most this many rows or loads" },
      { flags: "--json", description: "print JSON lines" },
    ],
    example: `refused-rows list ${EXAMPLE_LOAD} --reason company_number`,
    run: async (context, [load], { reason = "", limit, json }) => {
      const most = limit === undefined ? Infinity : parseWholeNumber("--limit", limit, 1);
      const { documents } = context.openStores().mongo;
      const wanted = reason.toLowerCase();
      const isWanted: Wanted = ({ field = "", reason: why }) =>
        `${field}: ${why}`.toLowerCase().includes(wanted);
      const listed =
        load === undefined ? listLoads(documents, isWanted) : listRows(documents, load, isWanted);
      let count = 0;
      for await (const item of listed) {
        if (context.isStopping()) return 1;
        if (count >= most) return 0;
        if (!item) continue;
        for (const line of json === undefined ? item.lines : [JSON.stringify(item.data)]) context.print(line);
        count += 1;
      }
      const ofLoad = `load ${load} has no refused rows${wanted ? ` whose field or reason contains ${reason}` : ""}`;
      if (count === 0) context.tell(load === undefined ? "there are no refused rows" : ofLoad);
      return 0;
    },
  },

  show: {
    summary: "Show everything that is stored about one refused row.",
    effect: "reads",
    details:
      "Name the row FILE:LINE, as the list does; LINE is enough if the load has one file.\n" +
      "Bytes that could not be decoded and control characters are marked: caf⟨E9⟩.",
    arguments: [LOAD, { name: "<row>", description: "FILE:LINE, as refused-rows list prints it" }],
    example: `refused-rows show ${EXAMPLE_LOAD} 1204`,
    run: async (context, [load = "", row = ""]) => {
      const { documents } = context.openStores().mongo;
      const refused = await findRow(documents, load, row);
      const data = { ...plain(refused), load, shown: showRow(refused) };
      return { exitCode: 0, data, lines: formatRefusedRow(refused) };
    },
  },

  export: {
    summary: "Write the refused rows of a load to a file, unchanged, so that you can mend and load them.",
    effect: "reads",
    details:
      "Rows are written byte for byte, one per line, with the format's header and trailer. Where rows belong\n" +
      "together (a company's officers, a person's disqualifications), the whole group is written. Each file of the load\n" +
      "gets its own file, in the folder that --out names. Mend rows in their places, keep rows that you cannot mend\n" +
      "and the names of the files, then load them:\n" +
      `npm run cli -- load FILE --mends ${EXAMPLE_LOAD}`,
    arguments: [LOAD],
    options: [
      { flags: "--out <path>", description: "file, or folder for several; default: standard output" },
      { flags: "--json", description: "print the written files as JSON lines; needs --out" },
    ],
    example: `refused-rows export ${EXAMPLE_LOAD} --out refused.csv`,
    run: async (context, [load = ""], { out, json }) => {
      const { documents } = context.openStores().mongo;
      const record = await fetchLoadOfRows(documents, load);
      if (json !== undefined && out === undefined) throw new CommandError("--json needs --out");
      const files = await listRefusedFiles(documents, load);
      if (files.length === 0) context.tell(`load ${load} has no refused rows`);
      const paths = await choosePaths(files, out);
      for (const [position, refusedFile] of files.entries()) {
        const path = paths[position];
        const rows = exportRows(documents, load, refusedFile);
        if (path !== undefined) await writeWhole(path, rows);
        else for await (const row of rows) context.write(row);
        const { file, source, refused, lines } = refusedFile;
        const others = lines.length - refused;
        const and = others > 0 ? ` and ${formatCount(others)} other rows of their groups` : "";
        if (json !== undefined) context.print(JSON.stringify({ file, source, refused, others, path }));
        else
          context.tell(
            `${path ?? "standard output"}: ${formatNumber(refused, "refused row")} of ${file}${and}`,
          );
      }
      const encoding = files[0]?.encoding === "latin1" ? " --encoding latin1" : "";
      const mends = `when the rows are mended: npm run cli -- load FILE --mends ${load}${encoding}`;
      const lost = `load ${load} is not in MongoDB: each file is written without its header, in UTF-8, and --mends cannot load it`;
      if (json === undefined && files.length > 0) context.tell(record ? mends : lost);
      return 0;
    },
  },

  discard: {
    summary: "Delete the refused rows of a load: they were mended and loaded since, or nobody needs them.",
    effect: "deletes",
    details:
      "Loaded records do not change. Deleted rows can no longer be listed, exported or mended. A --complete load that\n" +
      "removed nothing because of these rows still does not know their records: it finishes with --force only.",
    arguments: [LOAD],
    options: [{ flags: "--force", description: "even if the load has not ended, because it was killed" }],
    example: `refused-rows discard ${EXAMPLE_LOAD}`,
    run: async (context, [load = ""], options) => {
      const { documents } = context.openStores().mongo;
      const known = await fetchLoadOfRows(documents, load);
      if (known?.state === "running" && options.force === undefined)
        throw new CommandError(`load ${load} has not ended; wait for it, or use --force if it was killed`);
      const rows = await countRefusedRows(documents, load);
      const subject = `${formatNumber(rows, "refused row")} of ${load}`;
      if (options.dryRun !== undefined)
        return { exitCode: 0, data: { load, rows, discarded: false }, lines: [`would discard ${subject}`] };
      const copy = `npm run cli -- refused-rows export ${load} --out FILE`;
      const question = `${subject} will be deleted for good; \`${copy}\` keeps a copy.`;
      if (rows > 0 && !(await confirm(context, question, options.yes !== undefined))) return 1;
      const record = await fetchLoadOfRows(documents, load);
      if (record) await writeLoad(documents, { ...record, discarded: (record.discarded ?? 0) + rows });
      await removeKeptRows(documents, load);
      return { exitCode: 0, data: { load, rows, discarded: true }, lines: [`discarded ${subject}`] };
    },
  },
});

type Wanted = (row: Pick<RefusedRow, "reason" | "field">) => boolean;

/** A load or a row in the list, for machines and for people; null if filtered out. */
type Listed = AsyncGenerator<{ data: object; lines: string[] } | null>;

async function* listLoads(documents: DocumentStore, isWanted: Wanted): Listed {
  // Ids sort by time; the latest load first.
  for (const load of (await listRefusing(documents)).reverse()) {
    const counts = await countReasons(documents, load);
    const reasons = counts.filter(isWanted).sort((a, b) => b.count - a.count);
    const refused = reasons.reduce((sum, { count }) => sum + count, 0);
    if (refused === 0) continue;
    // A MongoDB that was restored in part may lack the load.
    const { state, started_at, files = ["?"] } = (await fetchLoad(documents, load)) ?? {};
    const shown = reasons.map(
      ({ field, reason, count }) =>
        `  ${formatCount(count).padStart(9)} × ${field ? `${field}: ` : ""}${reason}`,
    );
    const more = reasons.length - SHOWN_REASONS;
    const lines = [
      `${load}: ${formatNumber(refused, "refused row")} of ${files.join(", ")}`,
      ...shown.slice(0, SHOWN_REASONS),
      ...(more > 0 ? [`  and ${formatCount(more)} more reasons`] : []),
    ];
    yield { data: { load, state, started_at, files, refused, reasons }, lines };
  }
}

async function* listRows(documents: DocumentStore, load: string, isWanted: Wanted): Listed {
  await fetchLoadOfRows(documents, load);
  for await (const row of readRefusedRows(documents, load))
    yield isWanted(row) ? { data: plain(row), lines: [formatRow(row)] } : null;
}

/** The load of refused rows; null if a restored MongoDB has only the rows. Throws CommandError if it has neither. */
async function fetchLoadOfRows(documents: DocumentStore, load: string): Promise<LoadRecord | null> {
  const record = await fetchLoad(documents, load);
  const isKnown = record !== null || (await fetchRefusedRows(documents, load, 1)).length > 0;
  return isKnown ? record : requireLoad(documents, load);
}

function plain({ file, line, source, reason, field, text, bytes }: RefusedRow) {
  return { file, line, source, reason, field, text, bytes };
}

/** Finds a row by `FILE:LINE`, or by LINE if the load has one file. Throws CommandError. */
async function findRow(documents: DocumentStore, load: string, row: string): Promise<RefusedRow> {
  const record = await fetchLoadOfRows(documents, load);
  const [, named, line = ""] = /^(?:(.*):)?(\d{1,10})$/s.exec(row) ?? [];
  if (line === "") throw new CommandError(`name the row as FILE:LINE, not "${row}"`);
  const files = record?.surveyed?.map(({ mends, file: own }) => mends ?? own) ?? record?.files ?? [];
  const file = named ?? (files.length === 1 ? files[0] : undefined);
  const has = record ? `has ${files.length} files` : "is not in MongoDB";
  if (file === undefined) throw new CommandError(`load ${load} ${has}; name the row as FILE:LINE`);
  const found = await fetchRefusedRow(documents, { load, file, line: Number(line) });
  if (found) return found;
  throw new CommandError(
    `load ${load} has no refused row ${row}; see npm run cli -- refused-rows list ${load}`,
  );
}

async function choosePaths(files: RefusedFile[], out: string | undefined): Promise<(string | undefined)[]> {
  if (out === undefined && files.length > 1)
    throw new CommandError(`the rows are from ${files.length} files; name a folder for them with --out`);
  if (out === undefined || files.length === 0) return files.map(() => out);
  const found = await stat(out).catch(() => null);
  const isFolder = files.length > 1 || out.endsWith("/") || found?.isDirectory();
  const folder = isFolder ? out : dirname(out);
  const inTheWay = `${out} cannot be written: ${folder} is a file, not a folder; choose another`;
  await mkdir(folder, { recursive: true }).catch(refuse(out, { EEXIST: inTheWay, ENOTDIR: inTheWay }));
  return files.map(({ name }) => (isFolder ? join(out, name) : out));
}

/** Writes a whole new file or none: a part of a file could be loaded as if it were whole. Throws CommandError. */
async function writeWhole(path: string, rows: AsyncIterable<Buffer>): Promise<void> {
  // An existing file may hold rows that someone has mended.
  const exists = { EEXIST: `${path} already exists; choose another name` };
  const file = await open(path, "wx").catch(refuse(path, exists));
  try {
    await writeFile(file, rows);
  } catch (error) {
    await unlink(path);
    if (isPassing(error)) throw error;
    refuse(path, {})(error as Error);
  } finally {
    await file.close();
  }
}

/** Turns an error, such as one of the file system, into a CommandError. `messages`: by error code. */
function refuse(path: string, messages: Record<string, string>) {
  return (error: NodeJS.ErrnoException): never => {
    throw new CommandError(messages[error.code ?? ""] ?? `${path} cannot be written: ${messageOf(error)}`);
  };
}
