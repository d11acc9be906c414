/**
 * Owns the description of a change to what is held: which records it looks at, and what it makes of them. A
 * description is pure and may be followed any number of times, since others may write in between or a batch may be
 * killed; records remember up to where they have been told, and it asks them.
 */
import type { StoredRecord } from "../../api/resources/define-record.ts";

/** Records whose index key has this value; `_id` is one of the keys. */
export interface HeldKey {
  field: string;
  value: string;
}

/** What is held, as far as the changes of a batch look at it; earlier changes of the batch included. */
export interface HeldView {
  /** Records of this key. Only keys that the change has named are complete. */
  find: (key: HeldKey) => StoredRecord[];
  get: (id: string) => StoredRecord | undefined;
  /** Place at which an update took this identity away; 0: none did. */
  withdrawnAt: (id: string) => number;
}

/** What becomes of one record. */
export type HeldEffect =
  /** Its content; where that has another identity than the record it was made from, that one is left. */
  | {
      kind: "write";
      data: unknown;
      /** The record it was made from; absent: a new one. */
      from?: StoredRecord;
      /** What of the record the change tells: it remembers the place for each. */
      aspects: readonly string[];
      /**
       * The members that it tells, of which it may leave some as they were. Absent: it tells the record as a whole, and what
       * other sources told by its day is merged with it by the change's telling.
       */
      members?: readonly string[];
    }
  | { kind: "remove"; held: StoredRecord }
  /** An identity that is not held: what an older file tells under it does not come back either. */
  | { kind: "withdraw"; id: string };

/** What a change decides. */
export interface HeldDecision {
  effects: HeldEffect[];
  /** Something odd that does not keep the change from being followed; counted. */
  warning?: string;
}

/** What is told of the nominee of a number. */
export interface Correction {
  person_number: string;
  members: object;
}

/** A change to what is held. */
export interface HeldChange {
  /** Its place in the series of updates: later ones are higher. */
  place: number;
  looksAt: readonly HeldKey[];
  /** Name of the telling by which what it tells as a whole stands against other sources; absent: it tells members alone. */
  tells?: string;
  /** Identities that it may create or take away. */
  identities: readonly string[];
  /** Of one that corrects all appointments of a nominee (`persons/corrections.ts`), which decides nothing itself. */
  correction?: Correction;
  /** Pure. */
  decide: (view: HeldView) => HeldDecision;
}

/** True when this aspect of the record has been told at this place or a later one. */
export function isTold(held: StoredRecord, aspect: string, place: number): boolean {
  return (held.update?.places[aspect] ?? 0) >= place;
}
