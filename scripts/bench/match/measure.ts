/** Measures matching: matches rows in batches, and checks whether a match is the company that the row means. */
import type { MatchResult } from "../../../api/matching/define-match.ts";
import { matchAll } from "../../../api/matching/matcher.ts";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";
import { InFlight } from "../in-flight.ts";
import { FORMS, type ListForm, type ListRow } from "./customer-list.ts";

/** The counts of the rows of one form. */
export interface FormOutcome {
  form: ListForm | "all";
  rows: number;
  /** Rows with a match, and how many of these matches are right. */
  matched: number;
  right: number;
  /** Rows whose company exists, and how many of these have it among the first three candidates. */
  existing: number;
  found: number;
  /** The same for rows without a match. */
  open: number;
  openFound: number;
}

export interface MatchOutcome {
  forms: FormOutcome[];
  /** Share of the matches that are right. */
  precision: number;
  /** Of the rows without a match whose company exists, the share that has it among the first three candidates. */
  recall: number;
  rowsPerSecond: number;
  /** Descriptions of rows that were matched wrongly, then of rows whose company was not found. */
  examples: string[];
}

const FIRST = 3;
const BATCH_ROWS = 50;
const BATCHES_AT_ONCE = 2;
const EXAMPLES = 15;

/** Matches all rows, two batches at a time. */
export async function measureMatches(
  elasticsearch: SearchStore,
  rows: readonly ListRow[],
): Promise<MatchOutcome> {
  const results: MatchResult[] = [];
  const inFlight = new InFlight(BATCHES_AT_ONCE);
  const startedAt = performance.now();
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const batch = rows.slice(start, start + BATCH_ROWS).map(({ question }) => question);
    await inFlight.add(async () => {
      const found = await matchAll(elasticsearch, batch, { limit: FIRST });
      for (const [at, result] of found.entries()) results[start + at] = result;
    });
  }
  await inFlight.finish();
  const seconds = (performance.now() - startedAt) / 1_000;
  const judged = rows.map((row, at) => judge(row, results[at] ?? { candidates: [], notes: [] }));
  const all = summarise("all", judged);
  return {
    forms: [
      ...FORMS.map((form) =>
        summarise(
          form,
          judged.filter(({ row }) => row.form === form),
        ),
      ),
      all,
    ],
    precision: all.matched === 0 ? 1 : all.right / all.matched,
    recall: all.open === 0 ? 1 : all.openFound / all.open,
    rowsPerSecond: rows.length / seconds,
    examples: [...judged.filter(isWrong), ...judged.filter(isLost)].slice(0, EXAMPLES).map(describe),
  };
}

interface Judged {
  row: ListRow;
  result: MatchResult;
  match: string | null;
  isFound: boolean;
}

function judge(row: ListRow, result: MatchResult): Judged {
  const match = result.candidates.find((candidate) => candidate.match)?.id ?? null;
  // Nobody can tell which of several equal companies a row means, so any of them counts as found.
  return { row, result, match, isFound: result.candidates.some(({ id }) => row.equals.has(id)) };
}

function isWrong({ row, match }: Judged): boolean {
  return match !== null && match !== row.target;
}

function isLost({ row, match, isFound }: Judged): boolean {
  return match === null && row.target !== null && !isFound;
}

function summarise(form: FormOutcome["form"], judged: readonly Judged[]): FormOutcome {
  const matched = judged.filter(({ match }) => match !== null);
  const existing = judged.filter(({ row }) => row.target !== null);
  const open = existing.filter(({ match }) => match === null);
  return {
    form,
    rows: judged.length,
    matched: matched.length,
    right: matched.filter(({ row, match }) => match === row.target).length,
    existing: existing.length,
    found: existing.filter(({ isFound }) => isFound).length,
    open: open.length,
    openFound: open.filter(({ isFound }) => isFound).length,
  };
}

function describe({ row, result, match }: Judged): string {
  const { name, postcode, town } = row.question;
  const asked = [name, postcode, town].filter(Boolean).join(", ");
  const [first] = result.candidates;
  const found = first ? `${first.name} (${first.id}) ${first.score}: ${first.reasons.join("; ")}` : "nothing";
  return `${match === null ? "lost " : "WRONG"} ${row.form}: ${asked} [${row.target ?? "none"}] -> ${found}`;
}
