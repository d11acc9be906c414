/** Owns the commands that show refused rows (which loads have some, the rows of one load, one row), and that let them go. */
import { confirm } from "../../api/core/confirm.ts";
import { defineCommand, type CommandContext } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { DocumentStore } from "../../api/core/stores/mongo.ts";
import { parseWholeNumber } from "../../api/core/whole-number.ts";
import {
  countDeadLetters,
  countOf,
  fetchDeadLetter,
  fetchDeadLetters,
  readDeadLetters,
  removeKeptRows,
  type DeadLetter,
} from "../dead-letters/dead-letters.ts";
import { EXAMPLE_LOAD, fetchLoad, writeLoad, type LoadRecord } from "../history/loads.ts";
import { formatCount } from "../progress.ts";
import { showBytes, showText } from "../readers/show-bytes.ts";

// Limits of the list for people; --json prints everything.
const SHOWN_REASONS = 10;
const SHOWN_CHARACTERS = 80;

export const deadLettersListCommand = defineCommand({
  name: "dead-letters list",
  summary: "List the loads that have refused rows, or the refused rows of one load.",
  effect: "reads",
  details:
    "With --json one JSON object a line. That of a row holds file, line, source, reason, field and the row as it\n" +
    "came (text; bytes in base64 where it is no text).",
  arguments: [{ name: "[load]", description: "id of the load, as the load command prints it" }],
  options: [
    { flags: "--reason <text>", description: "only rows whose reason or field holds this text" },
    { flags: "--limit <count>", description: "most rows, or loads, that are listed" },
    { flags: "--json", description: "print JSON lines" },
  ],
  example: `dead-letters list ${EXAMPLE_LOAD} --reason company_number`,
  run: async (context, [load], options) => {
    const limit = options.limit === undefined ? Infinity : parseWholeNumber("--limit", options.limit, 1);
    const asked = { isWanted: matcherOf(options.reason), limit, isJson: options.json !== undefined };
    const { documents } = context.openStores().mongo;
    if (load === undefined) await listLoads(context, documents, asked);
    else await listRows(context, documents, load, asked);
    return 0;
  },
});

export const deadLettersShowCommand = defineCommand({
  name: "dead-letters show",
  summary: "Show everything that is kept of one refused row.",
  effect: "reads",
  details:
    "The row is named as the list names it, FILE:LINE; LINE is enough where the load has one file.\n" +
    "Bytes that are no text, and characters that would steer the terminal, are marked: caf⟨E9⟩.",
  arguments: [
    { name: "<load>", description: "id of the load" },
    { name: "<row>", description: "FILE:LINE, as dead-letters list prints it" },
  ],
  options: [{ flags: "--json", description: "print one JSON object" }],
  example: `dead-letters show ${EXAMPLE_LOAD} BasicCompanyData.csv:1204`,
  run: async (context, [load = "", row = ""]) => {
    const { documents } = context.openStores().mongo;
    const letter = await findLetter(documents, load, row);
    const shown = showRow(letter);
    return { exitCode: 0, data: { ...plain(letter), load, shown }, lines: formatLetter(letter, shown) };
  },
});

export const deadLettersDiscardCommand = defineCommand({
  name: "dead-letters discard",
  summary: "Let the refused rows of a load go: they were mended and loaded since, or nobody needs them.",
  effect: "deletes",
  details:
    "Nothing that was loaded changes. What is let go cannot be listed, exported or mended any more. A --complete load\n" +
    "that these rows kept from removing anything still does not know what they hold: it finishes with --force only.",
  arguments: [{ name: "<load>", description: "id of the load" }],
  options: [
    {
      flags: "--force",
      description: "although the load has not ended: it was killed, and will not be resumed",
    },
  ],
  example: `dead-letters discard ${EXAMPLE_LOAD}`,
  run: async (context, [load = ""], options) => {
    const { documents } = context.openStores().mongo;
    const known = await requireLoad(documents, load);
    if (known?.state === "running" && options.force === undefined)
      throw new CommandError(
        `load ${load} has not ended; wait for it. If it was killed and will not be resumed, say --force`,
      );
    const rows = countOf(await countDeadLetters(documents), load);
    const told = `${formatCount(rows)} refused rows of ${load}`;
    if (options.dryRun !== undefined) {
      return { exitCode: 0, data: { load, rows, discarded: false }, lines: [`would discard ${told}`] };
    }
    const copy = `npm run cli -- dead-letters export ${load} --out FILE`;
    const question = `${told} will be deleted for good; \`${copy}\` keeps a copy.`;
    if (rows > 0 && !(await confirm(context, question, options.yes !== undefined))) return 1;
    const record = await fetchLoad(documents, load);
    if (record) await writeLoad(documents, { ...record, discarded: (record.discarded ?? 0) + rows });
    await removeKeptRows(documents, load);
    return { exitCode: 0, data: { load, rows, discarded: true }, lines: [`discarded ${told}`] };
  },
});

interface Asked {
  isWanted: (letter: Pick<DeadLetter, "reason" | "field">) => boolean;
  limit: number;
  isJson: boolean;
}

function matcherOf(text: string | undefined): Asked["isWanted"] {
  const wanted = text?.toLowerCase() ?? "";
  return ({ reason, field = "" }) => `${field}: ${reason}`.toLowerCase().includes(wanted);
}

async function listLoads(
  context: CommandContext,
  documents: DocumentStore,
  { isWanted, limit, isJson }: Asked,
): Promise<void> {
  const counts = (await countDeadLetters(documents)).filter(isWanted).sort((a, b) => b.count - a.count);
  // Ids sort by time; the latest load first.
  const loads = [...new Set(counts.map(({ load }) => load))].sort().reverse().slice(0, limit);
  if (loads.length === 0) context.tell("no rows are refused");
  for (const load of loads) {
    const { state, started_at, files } = (await fetchLoad(documents, load)) ?? {};
    const ofLoad = counts.filter((one) => one.load === load);
    const reasons = ofLoad.map(({ reason, count }) => ({ reason, count }));
    const refused = countOf(ofLoad, load);
    if (isJson) {
      context.print(JSON.stringify({ load, state, started_at, files, refused, reasons }));
      continue;
    }
    context.print(`${load}: ${formatCount(refused)} refused rows of ${(files ?? ["?"]).join(", ")}`);
    for (const { reason, count } of reasons.slice(0, SHOWN_REASONS))
      context.print(`  ${formatCount(count).padStart(9)} × ${showText(reason)}`);
    const more = reasons.length - SHOWN_REASONS;
    if (more > 0) context.print(`  and ${formatCount(more)} reasons more`);
  }
}

async function listRows(
  context: CommandContext,
  documents: DocumentStore,
  load: string,
  { isWanted, limit, isJson }: Asked,
): Promise<void> {
  await requireLoad(documents, load);
  let count = 0;
  for await (const letter of readDeadLetters(documents, load)) {
    if (context.isStopping() || count >= limit) return;
    if (!isWanted(letter)) continue;
    context.print(isJson ? JSON.stringify(plain(letter)) : formatRow(letter));
    count += 1;
  }
  if (count === 0) context.tell(`load ${load} holds no refused rows, or none of that reason`);
}

function plain({ file, line, source, reason, field, text, bytes }: DeadLetter) {
  return { file, line, source, reason, field, text, bytes };
}

function formatRow(letter: DeadLetter): string {
  const { file, line, field, reason } = letter;
  const shown = showRow(letter).replaceAll("\n", " ");
  const row = shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown;
  return showText(`${file}:${line}  ${field ? `${field}: ` : ""}${reason}  ${row}`);
}

function showRow({ text, bytes = "" }: DeadLetter): string {
  return text === undefined ? showBytes(Buffer.from(bytes, "base64")) : showText(text);
}

function formatLetter(letter: DeadLetter, shown: string): string[] {
  const { load, file, line, source, field, reason, bytes } = letter;
  const facts = { load, file, line, source, field, reason };
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name.padEnd(8)}${showText(String(value))}`],
  );
  if (bytes !== undefined) lines.push("bytes   marked where they are no text");
  return [...lines, "", shown];
}

/** The record of a load. Throws CommandError for one that has neither that nor refused rows. */
export async function requireLoad(documents: DocumentStore, load: string): Promise<LoadRecord | null> {
  const record = await fetchLoad(documents, load);
  if (record ?? (await fetchDeadLetters(documents, load, 1))[0]) return record;
  throw new CommandError(
    `there is no load ${load}; 'npm run cli -- dead-letters list' names those that have refused rows`,
  );
}

/** The letter of a row, named `FILE:LINE`, or by the line alone where the load has one file. Throws CommandError. */
async function findLetter(documents: DocumentStore, load: string, row: string): Promise<DeadLetter> {
  const record = await requireLoad(documents, load);
  const [, named, line = ""] = /^(?:(.*):)?(\d{1,10})$/s.exec(row) ?? [];
  if (line === "") throw new CommandError(`a row is named FILE:LINE, not "${row}"`);
  const files = record?.surveyed?.map(({ mends, file: own }) => mends ?? own) ?? record?.files ?? [];
  const [file] = named === undefined ? files : [named];
  if (file === undefined || (named === undefined && files.length > 1))
    throw new CommandError(`load ${load} is of ${files.length} files; name the row as FILE:LINE`);
  const letter = await fetchDeadLetter(documents, { load, file, line: Number(line) });
  if (letter) return letter;
  throw new CommandError(
    `load ${load} holds no refused row ${row}; 'npm run cli -- dead-letters list ${load}' names them all`,
  );
}
