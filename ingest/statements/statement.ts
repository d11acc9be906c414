/** Owns statements, what one source says of one record, and the order in which they count. Pure. */
import type { Members } from "../../api/core/members.ts";
import type { HeldRecord, Statement } from "../../api/resources/define-record.ts";
import type { Telling } from "./merge.ts";

/** A statement with all of its data; it has none where the source says that the record is gone. */
export type Told = Omit<Statement, "data" | "lacks"> & { data?: Members };

/** How statements of one name are merged with what came before them. */
export interface Table {
  rules: Telling;
  /** Names of tables whose earlier statements say nothing beside one of this table; `PATCH` is one of the names. */
  outdates: readonly string[];
  /** True: the day of its last statement is always remembered; absent: only where other sources have told, too. */
  keepsDay?: boolean;
}

/** The table of a name; undefined for one that is not known any more. */
export type FindTable = (name: string) => Table | undefined;

/** What patches are called among the names of tables. */
export const PATCH = "patch";

/** The name of the table by which a statement is merged; undefined: it says everything. */
export function tableOf({ tells, of }: Pick<Told, "tells" | "of">): string | undefined {
  return tells ?? (of && PATCH);
}

/** True for a moment that is a whole day, as that of a snapshot is. */
export function isDay(at: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(at);
}

/** When a daily update of a day counts: it tells all of that day, and a snapshot of the next one is made later. */
export function momentOfUpdate(day: string): string {
  return `${day}T24`;
}

/** True when an event or a daily update of this day or later has told of the record: what a snapshot of the day lacks stays. */
export function isToldSince({ told = [], update }: HeldRecord, day: string | undefined): boolean {
  if (day === undefined) return false;
  const isNewer = told.some(({ event, at }) => event !== undefined && at >= day);
  return isNewer || (update !== undefined && update.day > day);
}

/**
 * The order of statements: by moment. A snapshot bears its day, so that it comes before the events of that day; an
 * undated row bears the moment of what it came behind, and of equal moments the batch decides.
 */
export function compareStatements(a: Told, b: Told): number {
  return (
    compare(a.at, b.at) ||
    (a.event?.timepoint ?? -1) - (b.event?.timepoint ?? -1) ||
    (a.place ?? 0) - (b.place ?? 0) ||
    compare(a.event?.uri ?? "", b.event?.uri ?? "") ||
    // Two sources of one day: one order is as good as another, if it is always the same.
    compare(tableOf(a) ?? "", tableOf(b) ?? "")
  );
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
