/**
 * The SourceDefinition type: what can be loaded, as plain data and pure functions.
 *
 * A plain source, each of whose rows is a whole record, needs only the members without `?`. Its `mapRows` maps each row
 * by itself, with `toOutcome`. `groupKey` is for records of several adjacent rows, `recordKey` for files in which a
 * later row of a record replaces an earlier one, `scattered` for search documents made of many rows.
 * `test/unit/sources/new-source.test.ts` says what else a new source needs.
 */
import { RecordError } from "../../api/shared/runtime/errors.ts";
import type {
  EventStamp,
  RecordDefinition,
  StoredRecord,
} from "../../api/shared/definitions/define-record.ts";
import type { RecordLocation } from "../../api/shared/definitions/incoming-resource.ts";
import type { RecordChange } from "../statements/record-change.ts";
import type { MergeRules } from "../statements/statement.ts";
import type { RawRow, Reader, UnreadableRow } from "../readers/read-rows.ts";

/** The page that describes the formats; error messages name it. */
export const FORMATS_PAGE = "scripts/docs/loading.md#formats";

/** What a file's name and first row say about the file. Plain JSON, since each batch carries it. */
export interface SourceContext {
  /** Day of the data, `YYYY-MM-DD`; absent: what is loaded later counts as later. */
  productionDate?: string;
  /** For rows without a day: the moment (UTC) from which they count; absent: the moment of their load. */
  asOf?: string;
  /** Run number of the product, four digits. */
  run?: string;
  /** The product, where several products share one format; each has its own editions. */
  product?: string;
  region?: string;
  /** Number (from 1) or name of this part of the edition; absent: the edition is one file. */
  part?: number | string;
  parts?: number;
  /** Column names in file order, and the character between them. */
  columns?: string[];
  delimiter?: string;
}

export type RowEvent = { stamp: EventStamp; location: RecordLocation };

/** The result for one row. `warnings`: values dropped from a record that was kept, with reasons. */
export type Outcome = Mapped & { row: RawRow; warnings?: string[] };

export type Mapped =
  /**
   * `data`: the whole record, even with `tells`: the record's schema checks all of it, required members included.
   * `tells`: the name of its merge rules in `mergeRules`; absent: it replaces the whole record. `leaves`: dotted paths
   * whose values still come from earlier statements, although these rules replace them.
   */
  | {
      kind: "record";
      record: RecordDefinition;
      data: unknown;
      tells?: string;
      leaves?: string[];
      event?: RowEvent;
    }
  /** A resource deleted by a stream. `id`: its record, if the event still has the whole resource. */
  | { kind: "removal"; record: RecordDefinition; id?: string; event: RowEvent }
  /** A change to stored records. `data`: the whole record in the row, if any, for the schema check. */
  | { kind: "change"; record: RecordDefinition; change: RecordChange; data?: unknown }
  /** Not loaded; stored as a refused row. */
  | { kind: "refused"; reason: string; field?: string }
  /** Nothing to load: a trailer, or a company line in an officers file. */
  | { kind: "skipped" };

/** One part of an edition in several files. `edition` is the same for all parts. */
export type SetPart = Pick<SourceContext, "product" | "parts"> & { part: number | string; edition: string };

export type Tally = Readonly<Record<string, number>>;

export interface SetFile {
  file: string;
  context: SourceContext;
  /** Rows after the header. */
  rows: number;
  last: RawRow | undefined;
  tally: Tally;
}

/** A file's place in a series such as `officers-update`. */
export interface SeriesRun {
  series: string;
  run: number;
}

export type LoadedRuns = ReadonlyMap<string, number>;

export interface Series {
  /** The run to remember once the file is loaded. */
  runOf: (context: SourceContext) => SeriesRun | undefined;
  /** Returns notes for the user. Throws SourceError if these files may not come next; `isForced` allows gaps. */
  check?: (files: readonly SetFile[], stored: LoadedRuns, isForced: boolean) => string[];
  /** Why a file should not be loaded yet; undefined if it can. */
  awaits?: (context: SourceContext, stored: LoadedRuns) => string | undefined;
}

/** What a complete edition contains. Stored records that are missing from it are deleted. */
export interface Completeness {
  records: readonly RecordDefinition[];
  /** Top-level members that `covers` reads. */
  members: readonly string[];
  /** True for a record that an edition with this context would contain if the register still had it. */
  covers: (record: StoredRecord, context: SourceContext) => boolean;
  /** Name of the file's share of the edition; shares do not overlap. Absent: the file may have any record. */
  scopeOf?: (context: SourceContext) => string | undefined;
  /** An example of the publisher's file name, if only the name has the day. */
  nameWithDay?: string;
  /** Throws SourceError with what is missing unless these files are a whole edition. */
  requireWhole?: (files: readonly SetFile[]) => void;
}

export interface SourceDefinition {
  name: string;
  title: string;
  /** Matches the base name without `.zip` or `.gz`. */
  fileNames: RegExp;
  recognises: (firstLine: string) => boolean;
  reader: Reader;
  hasHeader: boolean;
  /** Throws SourceError with what was expected and what was found. */
  open: (first: RawRow, fileName: string) => SourceContext;
  /** The kinds of record in the file, or a function that finds the kind of a row, if any. */
  fills: readonly RecordDefinition[] | ((text: string) => RecordDefinition | undefined);
  /** Adjacent rows with equal keys stay in one batch; absent: each row is independent. */
  groupKey?: (text: string) => string;
  /**
   * A key that is equal for all rows of one record, found without mapping them. Absent: `groupKey` is such a key, or
   * the order of rows does not matter. Accepts any text.
   */
  recordKey?: (text: string, context: SourceContext) => string | undefined;
  /** Keys of rows that form one search document, wherever they are in a file: a first load need not read them back. */
  scattered?: { keyOf: (text: string) => string | undefined; documentOf: (key: string) => string };
  /** True: the batches of a file are written in order, since a row may change an earlier one. */
  isOrdered?: true;
  series?: Series;
  /**
   * Maps whole groups, without blank lines, to outcomes in file order; changes come in the order in which they apply.
   * `unreadable`: undecodable rows among them, which the caller refuses. Pure; never throws for a bad row.
   */
  mapRows: (rows: RawRow[], context: SourceContext, unreadable?: readonly UnreadableRow[]) => Outcome[];
  /** A note for the user on a file that is loaded under the publisher's name; undefined: none. */
  noteOn?: (context: SourceContext) => string | undefined;
  /** Checks the last row against `rows`, the count of rows after the header, including the last. Throws SourceError. */
  close?: (last: RawRow | undefined, rows: number, context: SourceContext, tally: Tally) => void;
  /** A warning that the last row looks cut off, for formats in which only that row is refused; null: it looks whole. */
  describeCutEnd?: (last: RawRow, context: SourceContext) => string | null;
  /** The kind of row as which the trailer counts it. Accepts any text. */
  kindOf?: (text: string) => string;
  /** Merge rules by the names that records remember. Absent: a record replaces the stored one. */
  mergeRules?: Readonly<Record<string, MergeRules>>;
  /** Compares parts that were loaded together. Throws SourceError. */
  closeSet?: (parts: readonly SetFile[]) => void;
  completeness?: Completeness;
  /** Makes a last line that `close` accepts for these counts. Absent: the format has no row count. */
  trailerOf?: (rows: number, tally: Tally) => string;
}

export function defineSource(definition: SourceDefinition): SourceDefinition {
  return definition;
}

/** What is wrong with a row's JSON if its mapping threw this error. Undefined for other errors. These have no codes. */
export function describeJsonFault(error: unknown): string | undefined {
  // The JSON is nested deeper than the stack allows.
  if (error instanceof RangeError && error.message.includes("call stack")) return "is nested too deeply";
  // A member named `toString` or `valueOf` hides the method that would make a text of the object.
  if (error instanceof TypeError && error.message.includes("object to primitive value"))
    return "has an object where a text belongs";
  return undefined;
}

/** Maps one row and attaches its warnings. A RecordError makes it refused. */
export function toOutcome(row: RawRow, map: (warnings: string[]) => Mapped): Outcome {
  const warnings: string[] = [];
  try {
    // Mutated, since copying made mapping a tenth slower. The cast: `row` is set next.
    const outcome = map(warnings) as Outcome;
    outcome.row = row;
    if (warnings.length > 0) outcome.warnings = warnings;
    return outcome;
  } catch (error) {
    const reason = describeJsonFault(error);
    if (reason !== undefined) return { kind: "refused", row, reason };
    if (!(error instanceof RecordError)) throw error;
    return { kind: "refused", row, reason: error.reason, field: error.field };
  }
}
