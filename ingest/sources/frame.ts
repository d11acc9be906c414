/** Owns what frames a fixed-width file, a header with run and day and a trailer with counts; and the check of such counts. Pure. */
import { parseDate } from "../../api/core/dates.ts";
import { SourceError } from "../../api/core/errors.ts";
import { WAY_OUT, type RawRow, type SourceDefinition, type Tally } from "./define-source.ts";
import { requireRunOfName } from "./file-name.ts";

/** How a kind of file is framed. */
interface Frame {
  /** What the header begins with, before four digits of the run and eight of the day. */
  header: string;
  /** What the trailer begins with, before its counts of eight digits each, the last one of all lines. */
  trailer: string;
  /** What lines begin with that are counted apart; unknown ones count as the last. */
  types?: readonly string[];
  /** What the lines of a company or a person have in common. */
  keyOf: (text: string) => string;
  /** What is said of a file with the header of another kind, by what it begins with. `found` is its beginning. */
  others?: Readonly<Record<string, (found: string) => string>>;
}

type Framed = Required<
  Pick<SourceDefinition, "reader" | "hasHeader" | "recognises" | "open" | "groupKey" | "close" | "trailerOf">
> &
  Pick<SourceDefinition, "kindOf">;

/** True for a trailer, and the members of the source that follow from the frame. */
export function frameOf(frame: Frame): { isTrailer: (text: string) => boolean; framed: Framed } {
  const { types = [], keyOf } = frame;
  const kinds = types.map((type) => `records of type ${type}`);
  const trailer = new RegExp(`^${frame.trailer}${[...kinds, "all"].map(() => "(\\d{8})").join("/")}\\s*$`);
  const isTrailer = (text: string) => trailer.test(text);
  const kindOf = (text: string) => {
    const kind = kinds[types.findIndex((type) => text.startsWith(type))] ?? kinds.at(-1) ?? "records";
    return isTrailer(text) ? "trailer" : kind;
  };
  const close: Framed["close"] = (last, rows, _context, tally) => {
    const name = `${frame.trailer} with its count${kinds.length > 0 ? "s" : ""}`;
    const stated = trailer
      .exec(last?.text ?? "")
      ?.slice(1)
      .map(Number);
    if (!stated) throw new SourceError(`truncated: the trailer ${name} is not the last line; ${WAY_OUT}`);
    const [records = 0, ...ofTypes] = [...stated.splice(-1), ...stated];
    const sum = ofTypes.reduce((all, count) => all + count, 0);
    if (kinds.length > 0 && sum !== records)
      throw new SourceError(`the trailer says ${records} records, its types add up to ${sum}; ${WAY_OUT}`);
    const counts = { records, ...Object.fromEntries(kinds.map((kind, at) => [kind, ofTypes[at] ?? 0])) };
    requireCounts("the trailer says", counts, "the file has", { ...tally, records: rows - 1 });
  };
  const trailerOf = (texts: readonly string[]) => {
    const byKind = kinds.map((kind) => texts.filter((text) => kindOf(text) === kind).length);
    return frame.trailer + [...byKind, texts.length].map((count) => String(count).padStart(8, "0")).join("/");
  };
  const groupKey = (text: string) => (isTrailer(text) ? "trailer" : keyOf(text));
  const open: Framed["open"] = (first, fileName) => requireRunOfName(readHeader(first, frame), fileName);
  const recognises = (firstLine: string) => firstLine.startsWith(frame.header) && !isTrailer(firstLine);
  const framed = { reader: "lines", hasHeader: true, recognises, open, groupKey, close, trailerOf } as const;
  return { isTrailer, framed: { ...framed, ...(kinds.length > 0 && { kindOf }) } };
}

/** Run number and day. */
function readHeader({ text }: RawRow, { header, others = {} }: Frame) {
  const [, run, date] = new RegExp(`^${header}(\\d{4})(\\d{8})\\s*$`).exec(text) ?? [];
  const productionDate = parseDate(date ?? "");
  if (run && productionDate) return { run, productionDate };
  const found = text.slice(0, 40).trimEnd();
  const other = Object.entries(others).find(([beginning]) => text.startsWith(beginning));
  const fault = other?.[1](found);
  throw new SourceError(
    fault ?? `expected ${header}, a run number and a date in the first line, found ${found}`,
  );
}

/** Throws SourceError for the first of the stated counts, by what is counted, that is not the one found. */
export function requireCounts(ending: string, stated: Tally, where: string, found: Tally): void {
  for (const [what, count] of Object.entries(stated)) {
    const counted = found[what] ?? 0;
    if (counted !== count)
      throw new SourceError(`${ending} ${count} ${what}, ${where} ${counted}; ${WAY_OUT}`);
  }
}
