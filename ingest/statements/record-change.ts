/** Types of changes that sources make to stored records: what a change looks up, and what it then decides. */
import type { StoredRecord } from "../../api/shared/definitions/define-record.ts";
import type { FullStatement } from "./statement.ts";

/** The records that a change looks up, by values of key fields and by identities that it may create or remove. */
export interface Lookup {
  keys: Readonly<Record<string, readonly string[]>>;
  identities: readonly string[];
}

export interface RecordChange extends Lookup {
  /** Its place in the series of updates: later ones are higher. */
  place: number;
  /** Corrects a nominee: `persons/facts.ts` applies it to all their appointments. */
  correction?: { person_number: string; members: object };
  /** Applies the change; returns a warning to be counted. */
  decide?: (stored: ChangeableRecords) => string | undefined;
}

/** What a change states of one record. */
export interface Stated extends Pick<FullStatement, "tells" | "of" | "data"> {
  /** The record that is changed; it is removed if its identity is another. Absent: the record is new. */
  from?: StoredRecord | undefined;
  /** Members that it removes: what was stated of them before stays removed, whatever replaces this statement. */
  removes?: readonly string[];
  /** For the line's own record. `arrival`: the line creates it, or gives it another person number, type or day. */
  own?: "same" | "arrival";
}

/** The records that a batch's changes look up, with the changes so far. */
export interface ChangeableRecords {
  find: (field: string, value: string) => StoredRecord[];
  get: (id: string) => StoredRecord | undefined;
  /** The place at which an update removed this identity; 0: none did. */
  placeOfTombstone: (id: string) => number;
  /** True for an identity that a stream has deleted. */
  isDeletedByEvent: (id: string) => boolean;
  /** Adds a statement to the record of an identity, unless a stream or a snapshot stated it later. */
  state: (id: string, stated: Stated) => void;
  /** Removes a record, unless a stream or a snapshot stated it later. */
  remove: (stored: StoredRecord) => void;
  /** Leaves a tombstone for an identity that is not stored, so that an older file does not create it. */
  addTombstone: (id: string) => void;
}
