/** Owns the fingerprints of rows: one that says what it said before is known by it, without the record that it tells of. Pure. */
import { contentHash } from "../../api/core/identifiers.ts";
import type { HeldRecord, RecordDefinition } from "../../api/resources/define-record.ts";
import type { Ids } from "../log/changes.ts";
import { findTable } from "../sources/index.ts";
import { keysOfHeld, sayingOf, type Incoming } from "./absorb.ts";

// Hex digits: of 23 million rows that all were changed none is expected to be taken for what it was.
const DIGITS = 12;

/** In place of a fingerprint: rows of several batches tell of the record, which is looked at each time. */
export const AGAIN = "!";

/** The fingerprint of a row; undefined where more than the row decides what becomes of its record. */
function fingerprintOf(record: RecordDefinition, row: Incoming): string | undefined {
  const [{ data, ...stamp } = { at: "" }, ...others] = row.statements;
  if (!data || others.length > 0 || row.isUndated || row.isMeant) return undefined;
  return print({ etag: contentHash(data), revision: 0, told: [stamp] }, record.keysOf(data));
}

/** The fingerprint of what a record has been made of: that of a row where it was one alone. */
export function fingerprintOfHeld(held: HeldRecord): string {
  return held.told?.some(({ again }) => again) ? AGAIN : print(held, keysOfHeld(held));
}

/** The keys are part of it: a release that finds records by others compares them all. */
function print(held: Pick<HeldRecord, "etag" | "told" | "revision">, keys: object): string {
  return contentHash([held.etag, keys, sayingOf(held, findTable)]).slice(0, DIGITS);
}

/** The rows of one batch by their fingerprints: those that say what they said before, then what has become of the others. */
export class KnownRows {
  private readonly prints = new Map<string, string>();

  /** `before`: by the ids of records, those of the batch of the edition before. */
  constructor(private readonly before: ReadonlyMap<string, string>) {}

  /** Takes away the rows that need not be looked at. */
  leaveOut(record: RecordDefinition, rows: Map<string, Incoming>): void {
    for (const [id, row] of this.before.size > 0 ? rows : []) {
      const print = this.before.get(id);
      if (!print || fingerprintOf(record, row) !== print) continue;
      this.prints.set(id, print);
      rows.delete(id);
    }
  }

  /** Takes what became of rows. */
  note(outcome: readonly { held: HeldRecord }[]): void {
    for (const { held } of outcome) this.prints.set(held._id, fingerprintOfHeld(held));
  }

  /** Of each record that a batch names, in their order, a line each; empty where it has none. */
  listPrints(ids: Ids): string {
    const named = Object.values(ids).flat();
    return named.map((id) => this.prints.get(id) ?? "").join("\n");
  }
}
