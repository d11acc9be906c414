/** Owns the fingerprints of rows: one that says what it said before is known by it, without the record that it tells of. Pure. */
import { isGone } from "../../api/core/gone.ts";
import { contentHash } from "../../api/core/identifiers.ts";
import type { HeldRecord, RecordDefinition } from "../../api/resources/define-record.ts";
import { keysOfHeld, type Incoming } from "./absorb.ts";
import { isRow, type FindTable, type Told } from "./statement.ts";

// Hex digits: of 23 million rows that all were changed none is expected to be taken for what it was.
const DIGITS = 12;

/** The fingerprint of a row; undefined where more than the row decides what becomes of its record. */
export function fingerprintOf(
  record: RecordDefinition,
  { statements, isUndated, isMeant }: Incoming,
  findTable: FindTable,
): string | undefined {
  const [stated, ...others] = statements;
  if (!stated?.data || others.length > 0 || isUndated || isMeant || !isRow(stated)) return undefined;
  return print(contentHash(stated.data), stated, { keys: record.keysOf(stated.data), findTable });
}

/** In place of a fingerprint: rows of several batches tell of the record, which is looked at each time. */
export const AGAIN = "!";

/** The fingerprint of the one row that a record has been made of; undefined where more was told of it. */
export function fingerprintOfHeld(held: HeldRecord, findTable: FindTable): string | undefined {
  const [kept, ...others] = held.told ?? [];
  if (isGone(held) || !kept || others.length > 0 || !isRow(kept)) return undefined;
  if (kept.again) return AGAIN;
  if (kept.data || kept.lacks) return undefined;
  return print(held.etag, kept, { keys: keysOfHeld(held), findTable });
}

/** The keys are part of it: a release that finds records by others compares them all. */
function print(
  etag: string,
  { tells = "", at }: Pick<Told, "tells" | "at">,
  { keys, findTable }: { keys: object; findTable: FindTable },
): string {
  const day = findTable(tells)?.keepsDay ? at : "";
  return contentHash([etag, tells, day, keys]).slice(0, DIGITS);
}

type Rows = Map<RecordDefinition, Map<string, Incoming>>;

/** The rows of one batch by their fingerprints: those that say what they said before, then what has become of the others. */
export class KnownRows {
  /** By the id of the record. */
  private readonly prints = new Map<string, string>();

  /** `before`: those of the batch of the edition before. */
  constructor(
    private readonly findTable: FindTable,
    private readonly before: ReadonlyMap<string, string>,
  ) {}

  /** The rows that are left to be looked at. */
  leaveOut(records: Rows): Rows {
    if (this.before.size === 0) return records;
    const open: Rows = new Map();
    for (const [record, rows] of records) {
      const left = [...rows].filter(([id, row]) => !this.isKnown(record, id, row));
      if (left.length > 0) open.set(record, new Map(left));
    }
    return open;
  }

  /** Takes what became of rows. */
  note(outcome: readonly { held: HeldRecord }[]): void {
    for (const { held } of outcome) {
      const print = fingerprintOfHeld(held, this.findTable);
      if (print !== undefined) this.prints.set(held._id, print);
    }
  }

  /** Of each record that a batch names, in their order, a line each; empty where it has none. */
  listPrints(ids: Readonly<Record<string, readonly string[]>>): string {
    const named = Object.values(ids).flat();
    return named.map((id) => this.prints.get(id) ?? "").join("\n");
  }

  private isKnown(record: RecordDefinition, id: string, row: Incoming): boolean {
    const before = this.before.get(id);
    if (!before || fingerprintOf(record, row, this.findTable) !== before) return false;
    this.prints.set(id, before);
    return true;
  }
}
