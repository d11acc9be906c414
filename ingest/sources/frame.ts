/** What surrounds a file's rows: day and part in its name, header and trailer of fixed-width files. Pure functions. */
import { addDays, parseDate } from "../../api/shared/values/dates.ts";
import { SourceError } from "../../api/shared/runtime/errors.ts";
import { formatCount, formatNumber } from "../../api/shared/runtime/format.ts";
import type { RawRow } from "../readers/read-rows.ts";
import type { SetPart, SourceContext, Tally } from "./define-source.ts";

/** Ends a piece of advice; it is removed from the message if the load already runs with --unchecked. */
export const OR_UNCHECKED = ", or load it as it is with --unchecked";
/** Advice for a file with a wrong or missing end; completes an error message. */
export const WAY_OUT = `download it again${OR_UNCHECKED}`;

// `BasicCompanyData-2026-11-01-part1_7.csv`, `psc-snapshot-2026-11-01_1of31.txt`; more may follow: `part1_7 (1).csv`.
const DAY = /(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)/;
const DAYS = new RegExp(DAY, "g");
const PART = /(?:-part(\d+)_|_(\d+)of)(\d+)/i;
// `Prod195_4321_ew_1_01112026010001.dat`, `Prod198_4322.dat`, `Prod192_4287.txt`.
const RUN = /^Prod\d{3}_(\d{4})(?=[_.])/i;

/** Reads day (if any), part and number of parts from a file's name. Throws SourceError. */
export function readEdition(fileName: string): { productionDate?: string; part: number; parts: number } {
  const productionDate = parseDate(DAY.exec(fileName)?.[1] ?? "");
  // Days are removed first: a year is not the number of parts.
  const [, first, second, of = 1] = PART.exec(fileName.replaceAll(DAYS, "")) ?? [];
  const [part, parts] = [Number(first ?? second ?? 1), Number(of)];
  if (part >= 1 && part <= parts) return { part, parts, ...(productionDate && { productionDate }) };
  throw new SourceError(`its name says part ${part} of ${parts}, which is impossible; restore its own name`);
}

// Limit: a day further ahead must be a mistake. A whole year, since clocks may be slow.
const MAX_DAYS_AHEAD = 366;

/** Throws SourceError for a day far ahead of `today`: everything loaded until that day would count as older. */
export function requireNoFutureDay({ productionDate: day = "" }: SourceContext, today: string): void {
  if (day <= addDays(today, MAX_DAYS_AHEAD)) return;
  throw new SourceError(
    `it is of ${day}, and today is ${today}, so whatever is loaded until then would count as older: ` +
      `correct the day in its name, or download it again${OR_UNCHECKED}`,
  );
}

/** A file's place in an edition of several files, which run and day identify; undefined for an edition of one file. */
export function partOf(context: SourceContext): SetPart | undefined {
  const { run, productionDate = "no day", product, part, parts } = context;
  if (part === undefined || parts === 1) return undefined;
  const edition = run === undefined ? productionDate : `run ${Number(run)} of ${productionDate}`;
  return { edition, part, ...(product !== undefined && { product }), ...(parts !== undefined && { parts }) };
}

export const NAME_TEXTS = ["title", "forenames", "surname", "honours"] as const;
export const ADDRESS_TEXTS = ["address_line_1", "address_line_2", "post_town", "county", "country"] as const;

export interface Frame {
  /** Start of the header; four digits of run and eight of date follow. */
  header: string;
  /** Start of the trailer; counts of eight digits follow, the last one for all lines. */
  trailer: string;
  /** Starts of the lines that are counted separately; others count as the last of these. */
  types?: readonly string[];
  keyOf: (text: string) => string;
  /** The header of another format, and the error message for it. `found`: the start of the file's header. */
  other?: { header: string; fault: (found: string) => string } | undefined;
}

export function frameOf(frame: Frame) {
  const { types = [], keyOf } = frame;
  const kinds = types.map((type) => `records of type ${type}`);
  const trailer = new RegExp(`^${frame.trailer}${[...kinds, "all"].map(() => "(\\d{8})").join("/")}\\s*$`);
  const isTrailer = (text: string) => trailer.test(text);
  const typeOf = (text: string) => types.findIndex((type) => text.startsWith(type));
  const kindOf = (text: string) => (isTrailer(text) ? "trailer" : (kinds.at(typeOf(text)) ?? "records"));
  const close = (last: RawRow | undefined, rows: number, _context: SourceContext, tally: Tally) => {
    const name = `${frame.trailer} with its count${kinds.length > 0 ? "s" : ""}`;
    const found = trailer.exec(last?.text ?? "");
    if (!found) throw new SourceError(`truncated: the trailer ${name} is not the last line; ${WAY_OUT}`);
    const ofTypes = found.slice(1).map(Number);
    const records = ofTypes.pop() ?? 0;
    const sum = ofTypes.reduce((all, count) => all + count, 0);
    if (kinds.length > 0 && sum !== records)
      throw new SourceError(
        `the trailer says ${formatNumber(records, "record")}, its types add up to ${formatCount(sum)}; ${WAY_OUT}`,
      );
    const stated = { records, ...Object.fromEntries(kinds.map((kind, at) => [kind, ofTypes[at] ?? 0])) };
    requireCounts("the trailer says", stated, "the file has", { ...tally, records: rows - 1 });
  };
  const trailerOf = (rows: number, tally: Tally) => {
    const counts = [...kinds.map((kind) => tally[kind] ?? 0), rows];
    return frame.trailer + counts.map((count) => String(count).padStart(8, "0")).join("/");
  };
  const framed = {
    reader: "lines" as const,
    hasHeader: true,
    recognises: (firstLine: string) => firstLine.startsWith(frame.header) && !isTrailer(firstLine),
    open: (first: RawRow, fileName: string) => readHeader(first, fileName, frame),
    groupKey: (text: string) => (isTrailer(text) ? "trailer" : keyOf(text)),
    ...{ close, trailerOf, ...(kinds.length > 0 && { kindOf }) },
  };
  return { isTrailer, framed };
}

/** Reads run and day. Throws SourceError if the file's name has another run. */
function readHeader({ text }: RawRow, fileName: string, { header, other }: Frame): SourceContext {
  const [, run, date] = new RegExp(`^${header}(\\d{4})(\\d{8})\\s*$`).exec(text) ?? [];
  const productionDate = parseDate(date ?? "");
  if (!run || !productionDate) {
    const found = text.slice(0, 40).trimEnd();
    if (other && text.startsWith(other.header)) throw new SourceError(other.fault(found));
    throw new SourceError(`expected ${header}, a run number and a date in the first line, found ${found}`);
  }
  const named = RUN.exec(fileName)?.[1];
  if (named === undefined || Number(named) === Number(run)) return { run, productionDate };
  throw new SourceError(
    `its name says run ${named}, its header run ${run} of ${productionDate}: ` +
      "download it again or, if the header is right, name the file after its run",
  );
}

/** Throws SourceError for the first stated count that differs from the one found. Names of counts are plurals. */
export function requireCounts(ending: string, stated: Tally, where: string, found: Tally): void {
  for (const [what, count] of Object.entries(stated)) {
    const counted = found[what] ?? 0;
    if (counted !== count)
      throw new SourceError(
        `${ending} ${formatNumber(count, what.replace(/s\b/, ""), what)}, ${where} ${formatCount(counted)}; ${WAY_OUT}`,
      );
  }
}
