/** The `match` command: matches the rows of a user's own list with the register. */
import {
  defineCommand,
  type CommandContext,
  type GivenOptions,
} from "../../ingest/commands/define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { formatCount, formatDuration, formatNumber } from "../../api/shared/runtime/format.ts";
import { MATCH_TYPES, type MatchType } from "../../api/matching/define-match.ts";
import { matchings } from "../../api/matching/matcher.ts";
import { requireNameRules } from "../../index-mappings/name-rules.ts";
import { patienceOf, showProgress } from "../../ingest/commands/long-work.ts";
import { openPatience } from "../../ingest/patient-stores.ts";
import { openInput, type Input } from "../../ingest/readers/open-input.ts";
import { ENCODINGS, isBlank, readRows, type Encoding } from "../../ingest/readers/read-rows.ts";
import { answerColumns } from "../match/answer-columns.ts";
import { matchTable, type MatchEnd, type MatchRun, type QuestionColumns } from "../match/match-table.ts";
import { openOutput } from "../match/output.ts";
import { readTable, type Table } from "../match/read-table.ts";

const EXIT_STOPPED = 1;
const EXIT_UNREADABLE = 2;
const DEFAULT_TYPE = "company";

/** Options that name a column, with the member of the question that the column fills. */
const COLUMN_OPTIONS = {
  name: "name",
  number: "number",
  postcode: "postcode",
  town: "town",
  status: "status",
  birthDate: "born",
} as const;

export const matchCommand = defineCommand({
  name: "match",
  summary: "Match a list of names in a CSV file with the register.",
  effect: "reads",
  details:
    "Writes the rows in their order, with columns added: register_number (for people register_id), register_name,\n" +
    "register_status and register_score (0 to 100) of the best candidate, register_match and register_why. Where\n" +
    "register_match is yes, at least 99 of 100 are right; where it is no, a person must decide. It is no if postcode or\n" +
    "town are wrong, if the number is that of a company with another name, or if two companies have the name. For people\n" +
    "it is yes only if a date of birth, postcode or company number agrees; register_disqualified is `likely` or `possible`\n" +
    "for people who may be disqualified. The file is plain, gzip, zip, or standard input for '-'; its first line names the\n" +
    "columns; comma, semicolon, tab or vertical bar (|) separate cells. A row that cannot be read is written back with the\n" +
    "reason in register_why. The output is UTF-8.\n" +
    "Exit code: 0 all rows done, 2 some could not be read, 1 it failed or was stopped.",
  arguments: [{ name: "<file>", description: "the list" }],
  options: [
    { flags: "--name <column>", description: "column with the name", required: true },
    { flags: "--number <column>", description: "column with the company number" },
    { flags: "--postcode <column>", description: "column with the postcode" },
    { flags: "--town <column>", description: "column with the town" },
    { flags: "--status <column>", description: "column with the status, such as active or dissolved" },
    { flags: "--birth-date <column>", description: "for people: column with date, month or year of birth" },
    { flags: "--type <type>", description: "what to match", choices: MATCH_TYPES, default: DEFAULT_TYPE },
    { flags: "--output <file>", description: "file to write; default: standard output" },
    { flags: "--resume", description: "continue the file of an interrupted run after its last whole row" },
    {
      flags: "--encoding <encoding>",
      description: "encoding of the list; latin1 also reads Windows-1252",
      choices: ENCODINGS,
      default: "utf-8",
    },
    { flags: "--json", description: "print the counts of rows as JSON; needs --output" },
  ],
  example: "match customers.csv --name Customer --postcode Postcode --output matched.csv",
  run: async (context, [file = ""], given) => {
    for (const option of ["resume", "json"] as const)
      if (given[option] !== undefined && given.output === undefined)
        throw new CommandError(`--${option} needs --output`);
    const input = await openInput(file);
    try {
      return await matchFile(context, input, given);
    } finally {
      input.stream.destroy();
    }
  },
});

async function matchFile(context: CommandContext, input: Input, given: GivenOptions): Promise<number> {
  // Commander has checked the choices.
  const type = (given.type ?? DEFAULT_TYPE) as MatchType;
  if (given.birthDate !== undefined && type === "company")
    throw new CommandError("--birth-date is for people: add --type officer, or --type disqualified-officer");
  const encoding = (given.encoding ?? "utf-8") as Encoding;
  const table = await readTable(input.stream, input.label, encoding);
  const columns = findColumns(table, input.label, given);
  const added = answerColumns(type);
  const taken = added.find((column) => table.columns.includes(column));
  if (taken) throw new CommandError(`${input.label} already has a column ${taken}: remove or rename it`);
  const { elasticsearch } = context.openStores();
  await elasticsearch.ping();
  const searched: MatchType[] = type === "officer" ? ["officer", "disqualified-officer"] : [type];
  await requireNameRules(
    elasticsearch,
    searched.map((each) => matchings[each].index),
  );
  const rows = await countRows(input, encoding);
  const output = await openOutput({
    path: given.output,
    columns: [...table.columns, ...added],
    separator: table.separator,
    isResumed: given.resume !== undefined,
    print: context.write,
  });
  try {
    return await matchAndTell(context, { label: input.label, rows, table, output, type, columns }, given);
  } finally {
    await output.close();
  }
}

/** Number of rows of a list, without its header; undefined for standard input, which can be read only once. */
async function countRows({ label, totalBytes }: Input, encoding: Encoding): Promise<number | undefined> {
  if (totalBytes === undefined) return undefined;
  const { stream } = await openInput(label);
  let rows = -1;
  for await (const chunk of readRows(stream, "table", encoding))
    rows += chunk.filter((row) => !isBlank(row)).length;
  return rows;
}

/** Positions of the columns that the options name. Throws CommandError for a missing one, with the existing ones. */
function findColumns({ columns }: Table, label: string, given: GivenOptions): QuestionColumns {
  const found = Object.entries(COLUMN_OPTIONS).flatMap(([option, member]) => {
    const wanted = given[option]?.trim();
    if (wanted === undefined) return [];
    const at = columns.indexOf(wanted);
    if (at >= 0) return [[member, at] as const];
    const there = columns.map((column) => `"${column}"`).join(", ");
    throw new CommandError(`${label} has no column "${wanted}"; it has ${there}`);
  });
  return Object.fromEntries(found);
}

type ListRun = Pick<MatchRun, "table" | "output" | "type" | "columns"> & {
  label: string;
  /** All rows of the list, including those that an earlier run has done; undefined if unknown. */
  rows: number | undefined;
};

async function matchAndTell(
  context: CommandContext,
  { label, rows, ...run }: ListRun,
  given: GivenOptions,
): Promise<number> {
  const { elasticsearch } = context.openStores();
  const startedAt = performance.now();
  const total = rows && rows - run.output.rows;
  const watching = showProgress(context, { doing: `matching ${label}`, unit: "rows", total });
  const { onProgress } = watching;
  const patiently = openPatience(patienceOf(context, "matching"));
  const { isStopping } = context;
  const done = matchTable({ ...run, elasticsearch, patiently, isStopping, onProgress });
  const { counts, isWhole } = await done.finally(watching.end);
  const seconds = Math.max((performance.now() - startedAt) / 1_000, 0.001);
  report(context, { counts, isWhole, before: run.output.rows, seconds }, given);
  if (!isWhole) return EXIT_STOPPED;
  return counts.unreadable > 0 ? EXIT_UNREADABLE : 0;
}

/** Prints the counts. `before`: rows that an earlier run has done. */
function report(
  { print, tell }: CommandContext,
  { counts, isWhole, before, seconds }: MatchEnd & { before: number; seconds: number },
  { json, output }: GivenOptions,
): void {
  if (json !== undefined) {
    print(JSON.stringify({ ...counts, rows_before: before, seconds, is_whole: isWhole, output }));
    return;
  }
  // Without --output, standard output is the table.
  const say = output === undefined ? tell : print;
  const { rows, matched, open, nothing, unreadable, disqualified } = counts;
  const time = `${formatDuration(seconds)} (${formatCount(Math.round(rows / seconds))} rows/s)`;
  say(`matched     ${formatCount(matched)} of ${formatNumber(rows, "row")} in ${time}`);
  say(`to decide   ${formatCount(open)} (rows with candidates, but no certain match)`);
  say(`nothing     ${formatCount(nothing)}`);
  if (disqualified > 0) say(`flagged     ${formatCount(disqualified)} (people who may be disqualified)`);
  if (unreadable > 0) say(`unreadable  ${formatCount(unreadable)} (register_why has the reason)`);
  if (before > 0) say(`before      ${formatNumber(before, "row")} of the earlier run`);
  if (!isWhole)
    tell(output === undefined ? "stopped" : `stopped: the same command with --resume continues ${output}`);
}
