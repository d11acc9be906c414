/** Owns the SourceDefinition type: what can be loaded, as plain data and pure functions. */
import { RecordError } from "../../api/core/errors.ts";
import type { EventStamp, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import type { RecordLocation } from "../../api/resources/incoming-resource.ts";
import type { HeldChange } from "../statements/held-memory.ts";
import type { Table } from "../statements/statement.ts";
import type { UnreadableRow } from "../readers/read-rows.ts";
import type { Series } from "../history/loads.ts";

/** One row as it stands in the file. */
export interface RawRow {
  /** Line on which the row begins, from 1. */
  line: number;
  text: string;
  /** True: it tells nothing, since it does so in another batch; it stands here for the rows beside it. */
  isContext?: true;
}

/** What a source knows of a file after its first row, by name and header. Plain JSON: it travels with each batch. */
export interface SourceContext {
  /** The day that a snapshot shows, `YYYY-MM-DD`; absent: what is loaded later counts as later. */
  productionDate?: string;
  /** Number in the series of the product, in four digits. */
  run?: string;
  /** Of which product, where files of several are one format: each has editions of its own. */
  product?: string;
  /** Of which the file holds the companies. */
  region?: string;
  /** Which of the files of its edition it is, from 1, or its name; absent: it stands alone. */
  part?: number | string;
  /** How many there are, where they tell. */
  parts?: number;
  /** Names of the columns, in their order, and what stands between them. */
  columns?: string[];
  delimiter?: string;
}

/** The streaming event that a row is, and where the record of its resource is stored. */
export type RowEvent = { stamp: EventStamp; location: RecordLocation };

/** What became of a row. `warnings`: values that were dropped from a record that is kept, with the reason. */
export type Outcome = Mapped & { row: RawRow; warnings?: string[] };

/** What a row was mapped to. */
export type Mapped =
  /** `tells`: by which of the source's `tellings`; absent: it replaces the whole record. */
  | { kind: "record"; record: RecordDefinition; data: unknown; tells?: string; event?: RowEvent }
  /** A resource that a stream has deleted; `id`: the record's identity, where the event still told the whole resource. */
  | { kind: "removal"; record: RecordDefinition; id?: string; event: RowEvent }
  /** What is to become of stored records; `data`: the whole record that the row tells, if any, to be checked. */
  | { kind: "change"; record: RecordDefinition; change: HeldChange; data?: unknown }
  /** Not to be loaded: goes to the dead letters. */
  | { kind: "refused"; reason: string; field?: string }
  /** Nothing to load by design: trailer, company lines of the officers files. */
  | { kind: "skipped" };

/** A file's place in an edition that comes in several; `edition` is what all parts have in common. */
export type SetPart = Pick<SourceContext, "product" | "parts"> & { part: number | string; edition: string };

/** How many rows a file has of the kinds that its end counts apart. */
export type Tally = Readonly<Record<string, number>>;

/** A file that has been read to its end. */
export interface SetFile {
  /** The path as it was given. */
  file: string;
  context: SourceContext;
  /** Rows after the header. */
  rows: number;
  last: RawRow | undefined;
  tally: Tally;
}

/** What a whole edition leaves nothing out of: records that it lacks are no more. */
export interface Completeness {
  records: readonly RecordDefinition[];
  /** Top-level members that `covers` looks at. */
  members: readonly string[];
  /** True for a record that an edition of today, of this context, would hold if it were still on the register. */
  covers: (record: StoredRecord, context: SourceContext) => boolean;
  /** A word for the share of an edition that a file holds, no record standing in two; undefined: it may hold any of it. */
  scopeOf?: (context: SourceContext) => string | undefined;
  /** A file's name as its publisher gives it, where nothing but the name tells its day. */
  nameWithDay?: string;
  /** Throws SourceError, saying what is lacking, unless these files are an edition in whole. */
  requireWhole?: (files: readonly SetFile[]) => void;
}

/** One bulk format. */
export interface SourceDefinition {
  /** Word for `--as`: `company-csv`. */
  name: string;
  /** For people: "company CSV (Prod217)". */
  title: string;
  /** File names it claims, matched against the base name without `.zip` or `.gz`. */
  fileNames: RegExp;
  /** True when the first line is of this format. */
  recognises: (firstLine: string) => boolean;
  /** How bytes become rows: `csv` keeps line breaks inside quotes, `lines` does not. */
  reader: "csv" | "lines";
  /** True when the first row is a header and not data. */
  hasHeader: boolean;
  /** Reads the first row; throws SourceError saying what was expected and what was found. */
  open: (first: RawRow, fileName: string) => SourceContext;
  /** The kinds of record that its rows fill; a function where each row says so itself: undefined for a row of none. */
  fills: readonly RecordDefinition[] | ((text: string) => RecordDefinition | undefined);
  /** Rows with equal keys that follow each other stay in one batch; absent: every row stands alone. */
  groupKey?: (text: string) => string;
  /**
   * Of rows that stand anywhere in a file and make one search document, as the appointments of a person do: what they have in
   * common, if anything, and that document. Spares a first load reading them back.
   */
  scattered?: { keyOf: (text: string) => string | undefined; documentOf: (key: string) => string };
  /** True: batches of a file are written one after the other, since a row may change what an earlier one has made. */
  isOrdered?: true;
  /** Which run of a series a file is; absent: its files are in no order. */
  series?: Series;
  /**
   * Rows of whole groups, without blank lines, to outcomes in file order; changes in the order in which they apply.
   * `unreadable`: rows between them that are refused without the source. Pure; never throws for a bad row.
   */
  mapRows: (rows: RawRow[], context: SourceContext, unreadable?: readonly UnreadableRow[]) => Outcome[];
  /** Checks the end of the file against the rows after the header, the last one included. Throws SourceError. */
  close?: (last: RawRow | undefined, rows: number, context: SourceContext, tally: Tally) => void;
  /** Says that the last row was cut off, where that refuses no more than the row; null when it looks whole. */
  doubtEnd?: (last: RawRow, context: SourceContext) => string | null;
  /** What a row counts as where the end of the file states several counts. Takes any text. */
  kindOf?: (text: string) => string;
  /**
   * How its records are merged with what other sources tell, by names that records remember. Absent: they replace what was
   * told before.
   */
  tellings?: Readonly<Record<string, Table>>;
  /** Checks all parts of a set against each other, where they are loaded together. Throws SourceError. */
  closeSet?: (parts: readonly SetFile[]) => void;
  /** Absent: no file of this format is ever everything. */
  completeness?: Completeness;
  /** The last line of a file of these rows, as `close` wants it. Absent: nothing in a file states how many rows it has. */
  trailerOf?: (texts: readonly string[]) => string;
}

/** Defines a source; its line in the table of contents makes it loadable. */
export function defineSource(definition: SourceDefinition): SourceDefinition {
  return definition;
}

/** What `map` makes of the row, with the warnings that it enters; refused when it throws a RecordError. */
export function toOutcome(row: RawRow, map: (warnings: string[]) => Mapped): Outcome {
  const warnings: string[] = [];
  try {
    // Completed in place: copies would make the mapping of a row a tenth slower. The cast: it is whole with its row.
    const outcome = map(warnings) as Outcome;
    outcome.row = row;
    if (warnings.length > 0) outcome.warnings = warnings;
    return outcome;
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return { kind: "refused", row, reason: error.reason, field: error.field };
  }
}
