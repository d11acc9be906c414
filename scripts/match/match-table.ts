/** Matches the rows of a table in batches, and writes them with their answers, in order. */
import type { MatchQuestion, MatchResult, MatchType } from "../../api/matching/define-match.ts";
import { matchAll } from "../../api/matching/matcher.ts";
import { CommandError, messageOf, UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { SearchStore } from "../../index-mappings/name-rules.ts";
import { answerCells, faultCells, flagOf, type RowAnswer } from "./answer-columns.ts";
import type { Output } from "./output.ts";
import type { Table, TableRow } from "./read-table.ts";

/** The positions of the columns that make up a question. */
export type QuestionColumns = Partial<Record<Exclude<keyof MatchQuestion, "type">, number>>;

export interface MatchRun {
  table: Table;
  output: Output;
  type: MatchType;
  columns: QuestionColumns;
  elasticsearch: SearchStore;
  /** Retries work that failed because the engine is unavailable. */
  patiently: <T>(work: () => Promise<T>) => Promise<T>;
  isStopping: () => boolean;
  /** Called with the number of written rows. */
  onProgress: (rows: number) => void;
}

/** How many rows of a run had which outcome. */
interface MatchCounts {
  rows: number;
  matched: number;
  /** Rows with candidates, but without a certain match. */
  open: number;
  /** Rows for which nothing was found. */
  nothing: number;
  /** Rows that could not be read. */
  unreadable: number;
  /** Rows whose person may be disqualified. */
  disqualified: number;
}

// Tuned: rows per batch, whose questions are sent together, and batches at a time. With two, the engine works on one
// batch while this process compares the answers of the other.
const BATCH_ROWS = 50;
const BATCHES_UNDER_WAY = 2;
const CANDIDATES = 3;

/** How a run ended; `isWhole` is false if it was stopped. */
export interface MatchEnd {
  counts: MatchCounts;
  isWhole: boolean;
}

/** Matches all rows that the output does not have yet. Stops before the next batch if `isStopping`. */
export async function matchTable(run: MatchRun): Promise<MatchEnd> {
  const counts = { rows: 0, matched: 0, open: 0, nothing: 0, unreadable: 0, disqualified: 0 };
  const underWay: Promise<MatchedRow[]>[] = [];
  const writeNext = async () => {
    const rows = (await underWay.shift()) ?? [];
    await run.output.write(rows.map(({ cells }) => cells));
    for (const { outcomes } of rows) for (const outcome of outcomes) counts[outcome] += 1;
    run.onProgress(counts.rows);
  };
  let isWhole = true;
  for await (const batch of batches(run)) {
    if (run.isStopping()) {
      isWhole = false;
      break;
    }
    const matching = matchBatch(run, batch);
    // writeNext awaits it later and meets its error then; until then it must not count as unhandled.
    matching.catch(() => undefined);
    underWay.push(matching);
    if (underWay.length >= BATCHES_UNDER_WAY) await writeNext();
  }
  while (underWay.length > 0) await writeNext();
  return { counts, isWhole };
}

/** The rows in batches, without those that the output already has. */
async function* batches({ table, output }: MatchRun): AsyncGenerator<TableRow[]> {
  let [seen, waiting]: [number, TableRow[]] = [0, []];
  for await (const rows of table.rows) {
    for (const row of rows) {
      seen += 1;
      if (seen === output.rows) requireSame(row, output);
      if (seen > output.rows) waiting.push(row);
      if (waiting.length < BATCH_ROWS) continue;
      yield waiting;
      waiting = [];
    }
  }
  if (seen < output.rows)
    throw new CommandError(
      `the output has ${output.rows} rows, but the table only ${seen}: it belongs to another table`,
    );
  if (waiting.length > 0) yield waiting;
}

function requireSame({ line, cells }: TableRow, { last = [] }: Output): void {
  if (cells.every((cell, at) => cell === last[at])) return;
  throw new CommandError(
    `the last row of the output is not line ${line} of the table: it belongs to another table`,
  );
}

/** A row with its answer, and the counts that it adds to. */
type MatchedRow = { cells: string[]; outcomes: (keyof MatchCounts)[] };

async function matchBatch(run: MatchRun, rows: TableRow[]): Promise<MatchedRow[]> {
  const asked = rows.filter(({ fault }) => fault === undefined);
  const answers = await answerAll(run, asked);
  const byRow = new Map(asked.map((row, at) => [row, answers[at]] as const));
  return rows.map((row) => toMatched(run.type, row, byRow.get(row)));
}

function toMatched(type: MatchType, { cells, fault = "" }: TableRow, answer?: RowAnswer): MatchedRow {
  if (!answer) return { cells: [...cells, ...faultCells(type, fault)], outcomes: ["rows", "unreadable"] };
  const { candidates } = answer.result;
  const outcomes: MatchedRow["outcomes"] = ["rows"];
  if (candidates.some(({ match }) => match)) outcomes.push("matched");
  else outcomes.push(candidates.length > 0 ? "open" : "nothing");
  if (flagOf(answer.disqualified).flag !== "") outcomes.push("disqualified");
  return { cells: [...cells, ...answerCells(type, answer)], outcomes };
}

/** Answers the questions of the rows. For officers it also asks whether they are disqualified. */
async function answerAll(run: MatchRun, rows: TableRow[]): Promise<RowAnswer[]> {
  const { type, columns } = run;
  const questions = rows.map(({ cells }) => toQuestion(type, columns, cells));
  const results = await ask(run, questions);
  if (type === "company") return results.map((result) => ({ result }));
  if (type === "disqualified-officer") return results.map((result) => ({ result, disqualified: result }));
  const others = questions.map((question) => ({ ...question, type: "disqualified-officer" as const }));
  const disqualified = await ask(run, others);
  return results.map((result, at) => ({ result, disqualified: disqualified[at] }));
}

function toQuestion(type: MatchType, columns: QuestionColumns, cells: string[]): MatchQuestion {
  const given = Object.entries(columns).map(([member, at]) => [member, cells[at] ?? ""] as const);
  return { name: "", ...Object.fromEntries(given), type };
}

/** Asks all questions together; if the engine refuses them, each alone, so that only a bad one stays unanswered. */
async function ask(run: MatchRun, questions: MatchQuestion[]): Promise<MatchResult[]> {
  const askSome = (some: MatchQuestion[]) =>
    run.patiently(() => matchAll(run.elasticsearch, some, { limit: CANDIDATES }));
  try {
    return await askSome(questions);
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
  }
  const results: MatchResult[] = [];
  for (const question of questions) results.push(...(await askSome([question]).catch(toNote)));
  return results;
}

function toNote(error: unknown): MatchResult[] {
  if (error instanceof UnavailableError) throw error;
  return [{ candidates: [], notes: [`the search refused it: ${messageOf(error)}`] }];
}
