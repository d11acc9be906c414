/** Owns what frames a fixed-width file: a header with run number and day, and a trailer with counts of its lines. Pure. */
import { parseDate } from "../../api/core/dates.ts";
import { SourceError } from "../../api/core/errors.ts";
import { WAY_OUT, type RawRow, type SourceDefinition } from "./define-source.ts";
import { requireRunOfName } from "./file-name.ts";

/** How a kind of file is framed. */
interface Frame {
  /** What the header begins with, before four digits of the run and eight of the day. */
  header: string;
  /** What the trailer begins with, before its counts of eight digits each, the last one of all lines. */
  trailer: string;
  /** What lines begin with that are counted apart; unknown ones go with the last, so that a file of them adds up. */
  types?: readonly string[];
  /** What the lines of a company or a person have in common. */
  keyOf: (text: string) => string;
  /** What is said of a file with the header of another kind, by what it begins with. `found` is its beginning. */
  others?: Readonly<Record<string, (found: string) => string>>;
}

type Framed = Required<
  Pick<SourceDefinition, "reader" | "hasHeader" | "open" | "groupKey" | "close" | "trailerOf">
> &
  Pick<SourceDefinition, "kindOf">;

/** True for a trailer, and the members of the source that follow from the frame. */
export function frameOf(frame: Frame): { isTrailer: (text: string) => boolean; framed: Framed } {
  const { types = [], keyOf } = frame;
  const counts = [...types, "all"].map(() => "(\\d{8})").join("/");
  const trailer = new RegExp(`^${frame.trailer}${counts}\\s*$`);
  const isTrailer = (text: string) => trailer.test(text);
  const kindOf = (text: string) =>
    isTrailer(text) ? "trailer" : (types.find((type) => text.startsWith(type)) ?? types.at(-1) ?? "line");
  const close: Framed["close"] = (last, rows, _context, tally) => {
    const name = `${frame.trailer} with its count${types.length > 0 ? "s" : ""}`;
    const stated = trailer
      .exec(last?.text ?? "")
      ?.slice(1)
      .map(Number);
    if (!stated) throw new SourceError(`truncated: the trailer ${name} is not the last line; ${WAY_OUT}`);
    checkCounts(stated, [...types.map((type) => tally[type] ?? 0), rows - 1], types);
  };
  const trailerOf = (texts: readonly string[]) => {
    const byType = types.map((type) => texts.filter((text) => kindOf(text) === type).length);
    return frame.trailer + [...byType, texts.length].map((count) => String(count).padStart(8, "0")).join("/");
  };
  const groupKey = (text: string) => (isTrailer(text) ? "trailer" : keyOf(text));
  const open: Framed["open"] = (first, fileName) => requireRunOfName(readHeader(first, frame), fileName);
  return {
    isTrailer,
    framed: {
      ...{ reader: "lines", hasHeader: true, open, groupKey, close, trailerOf },
      ...(types.length > 0 && { kindOf }),
    },
  };
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

/** Throws SourceError when the counts of a trailer, the last one that of all, are not those of the file. */
function checkCounts(stated: readonly number[], found: readonly number[], types: readonly string[]): void {
  const [total = 0, records = 0] = [stated.at(-1), found.at(-1)];
  const sum = stated.slice(0, -1).reduce((left, right) => left + right, 0);
  if (types.length > 0 && sum !== total)
    throw new SourceError(`the trailer says ${total} records, its types add up to ${sum}; ${WAY_OUT}`);
  if (records !== total)
    throw new SourceError(`the trailer says ${total} records, the file has ${records}; ${WAY_OUT}`);
  const at = types.findIndex((_type, index) => stated[index] !== found[index]);
  if (at === -1) return;
  throw new SourceError(
    `the trailer says ${stated[at]} records of type ${types[at]}, the file has ${found[at]}; ${WAY_OUT}`,
  );
}
