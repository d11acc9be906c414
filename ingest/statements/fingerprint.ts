/** Owns the fingerprints of rows: one that says what it said before is known by it, without the record that it tells of. Pure. */
import { isGone } from "../../api/core/gone.ts";
import { contentHash } from "../../api/core/identifiers.ts";
import type { HeldRecord, RecordDefinition } from "../../api/resources/define-record.ts";
import type { Ids } from "../log/changes.ts";
import type { OfKind, Sorted } from "../pipeline.ts";
import { keysOfHeld, type Incoming } from "./absorb.ts";
import { keptDay, soleRow, type FindTable, type Told } from "./statement.ts";

// Hex digits: of 23 million rows that all were changed none is expected to be taken for what it was.
const DIGITS = 12;

/** In place of a fingerprint: rows of several batches tell of the record, which is looked at each time. */
export const AGAIN = "!";

/** The fingerprint of a row; undefined where more than the row decides what becomes of its record. */
function fingerprintOf(
  record: RecordDefinition,
  { statements, isUndated, isMeant }: Incoming,
  findTable: FindTable,
): string | undefined {
  const row = soleRow(statements);
  if (!row?.data || isUndated || isMeant) return undefined;
  return print(contentHash(row.data), row, record.keysOf(row.data), findTable);
}

/** The fingerprint of the one row that a record has been made of; undefined where more was told of it. */
export function fingerprintOfHeld(held: HeldRecord, findTable: FindTable): string | undefined {
  const row = soleRow(held.told);
  if (isGone(held) || !row) return undefined;
  if (row.again) return AGAIN;
  return row.data || row.lacks ? undefined : print(held.etag, row, keysOfHeld(held), findTable);
}

/** The keys are part of it: a release that finds records by others compares them all. */
function print(etag: string, row: Pick<Told, "tells" | "at">, keys: object, findTable: FindTable): string {
  return contentHash([etag, row.tells ?? "", keptDay(row, findTable), keys]).slice(0, DIGITS);
}

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
  leaveOut({ kinds }: Pick<Sorted, "kinds">): Pick<Sorted, "kinds"> {
    if (this.before.size === 0) return { kinds };
    const open = Array.from(kinds, ([record, of]): [RecordDefinition, OfKind] => {
      const rows = [...of.rows].filter(([id, row]) => !this.isKnown(record, id, row));
      return [record, { ...of, rows: new Map(rows) }];
    });
    return { kinds: new Map(open) };
  }

  /** Takes what became of rows. */
  note(outcome: readonly { held: HeldRecord }[]): void {
    for (const { held } of outcome) {
      const print = fingerprintOfHeld(held, this.findTable);
      if (print !== undefined) this.prints.set(held._id, print);
    }
  }

  /** Of each record that a batch names, in their order, a line each; empty where it has none. */
  listPrints(ids: Ids): string {
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
