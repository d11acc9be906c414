/** Owns the RecordDefinition type: one kind of stored record, and what is derived from it. */
import { compileReader, type ReadMembers } from "../schemas/read-members.ts";
import type { Check, JsonSchema } from "../schemas/validate.ts";
import { contentHash } from "../values/identifiers.ts";
import { isMembers, type Members } from "../values/members.ts";
import { compileCheck } from "../schemas/validate.ts";
import type { IncomingResource, RecordLocation, ResourceAddress } from "./incoming-resource.ts";

/** A value by which records are found or sorted. It is a top-level field, so that every engine can index it. */
export type IndexValue = string | number | boolean;

/** The lookup and sort keys of a kind of record. */
export type IndexKeys = Record<string, IndexValue>;

/** The streaming event by which a record was last written or removed (bulk formats 5). */
export interface EventStamp {
  /** `resource_uri`, in canonical form. */
  uri: string;
  /** Grows within a stream; all events of one address come in one stream. */
  timepoint: number;
  /** A UTC time, `2026-11-02T09:00:00.333Z`. */
  published_at: string;
}

/** The daily updates that were applied to a record, so that neither a repeat nor an older file reverts them. */
interface UpdateStamp {
  /** The day of the latest of these files, `YYYY-MM-DD`. */
  day: string;
  /** The last applied place in the series of updates, by aspect of the record: later ones are higher. */
  places: Partial<Record<string, number>>;
  /** `_id` under which the record was stored before an update moved it. */
  left?: string;
}

/** What one source states of a record (`ingest/statements`), which is the merge of all statements in order of moments. */
export interface Statement {
  /**
   * When it counts: a snapshot by its day, `2026-11-01`, an event by its moment, a daily update by the end of its day,
   * `2026-11-01T24`. A row without a day has the moment that it was given, or that of the statement before it.
   */
  at: string;
  /** The name of the merge rules of its source; without `of` and this it states the whole record. */
  tells?: string;
  /** The members that it sets or removes, if it states no others. */
  of?: string[];
  /**
   * Dotted paths of the values that its source had no room for, not enough, or could not be read: statements that it replaces still
   * count for them. Former releases stored names of members alone.
   */
  leaves?: string[];
  /** The event that it is, or the event before a row without a day. */
  event?: Pick<EventStamp, "uri" | "timepoint">;
  /** Among statements of one moment: the batch of a row, the line of a daily update. */
  place?: number;
  gone?: true;
  /** Top-level members that differ from those of the record. */
  data?: Record<string, unknown>;
  /** Members of the record that it does not have. */
  lacks?: string[];
}

/** The common members of records and tombstones. */
interface RecordStamp {
  _id: string;
  /** SHA-1 of the content, 40 lower-case hex digits, by which a load detects unchanged records. Answers show `etagOf`. */
  etag: string;
  /** Increases with each write; an older write never overwrites a newer one. */
  revision: number;
  /** Its statements, in order. Stored as `told`: another name would rewrite every record. */
  told?: Statement[];
  /** Of a record that a daily update has changed. */
  update?: UpdateStamp;
}

/** A record as stored: `data` is what the API shows, less what is computed at read; beside it are its keys. */
export type StoredRecord<Data = unknown, Keys extends IndexKeys = Record<never, IndexValue>> = Keys &
  RecordStamp & { data: Data };

/**
 * A record that a source has deleted. It replaces the record, without content and keys, so that nothing older brings the
 * record back; only members that no event can state last. Readers of records do not see it.
 */
type Tombstone = RecordStamp & {
  gone: true;
  /** The address of its deletion in streams. Absent: it never existed, or its kind has no stream. */
  address?: ResourceAddress;
};

/** What a collection of records contains. */
export type RecordOrTombstone = StoredRecord | Tombstone;

/** True for a tombstone. */
export function isTombstone<Item extends object>(item: Item): item is Extract<Item, { gone: true }> {
  return "gone" in item;
}

/** One MongoDB index: field names in order, all ascending. */
export interface RecordIndex {
  fields: string[];
  unique?: boolean;
}

/** How an API-shaped record of this kind is read. */
interface IncomingRule<Data> {
  /** The `resource_kind` words of this kind. */
  kinds: readonly string[];
  /**
   * JSON Schemas that together name every accepted member. By them the resource is read (`compileReader`) before `normalise`
   * gets it: the API grows, and a member or a word that is new must not cause a refusal. Absent: `normalise` itself does so.
   */
  known?: readonly JsonSchema[];
  /** Maps the resource to the stored data, and adds to the warnings what was dropped of it. Throws RecordError. */
  normalise(resource: IncomingResource, warnings: string[]): Data;
  /** The place of its record, from address and id alone: a deleted resource may have no data. Throws RecordError. */
  locate(resource: IncomingResource): RecordLocation;
  /** The record's address in streams, from which `locate` finds it. Absent: its kind has no stream. */
  addressOf?(data: Data): ResourceAddress;
}

/** One kind of record: its collection, its content, its identity. */
export interface RecordDefinition<Data = unknown, Keys extends IndexKeys = IndexKeys> {
  /** The resource's own name, also used in messages: `company-profile`. */
  name: string;
  collection: string;
  /** JSON Schema of `data`; a load refuses a record that breaks it. */
  schema: JsonSchema;
  // Written as methods, so that a list of all records can hold definitions of different data.
  /** The record's identity. */
  identify(data: Data): string;
  /** Values to find and sort by. */
  keysOf(data: Data): Keys;
  indexes: RecordIndex[];
  /** Absent: the record does not come API-shaped. */
  incoming?: IncomingRule<Data>;
  /** Derived from `schema`. Throws when the schema itself is wrong. */
  check: Check;
}

/** Defines a kind of record; its schema is compiled once, when the first record is checked. */
export function defineRecord<Data, Keys extends IndexKeys>(
  definition: Omit<RecordDefinition<Data, Keys>, "check">,
): RecordDefinition<Data, Keys> {
  const { incoming } = definition;
  let check: Check | undefined;
  // Compiled on first use: a command that checks no record of this kind saves the time, half a second for all kinds.
  return {
    ...definition,
    ...(incoming ? { incoming: readFirst(incoming) } : {}),
    check: (data) => (check ??= compileCheck(definition.schema))(data),
  };
}

/** The rule for a resource as it came. */
function readFirst<Data>(rule: IncomingRule<Data>): IncomingRule<Data> {
  const { known } = rule;
  let read: ReadMembers | undefined;
  return {
    ...rule,
    normalise: (resource, warnings) => {
      if (known) read ??= compileReader(known);
      const given = dropOddEtag(resource.data, warnings);
      const data = read?.(given, (warning) => warnings.push(warning)) ?? given;
      return rule.normalise({ ...resource, data }, warnings);
    },
  };
}

/** Servers other than the original make ETags of other forms; without one the record has the hash of its content. */
function dropOddEtag(data: Members, warnings: string[]): Members {
  const { etag } = data;
  if (etag === undefined || (typeof etag === "string" && /^[0-9a-f]{40}$/.test(etag))) return data;
  warnings.push("etag: is not 40 hexadecimal digits, dropped");
  const others = { ...data };
  delete others.etag;
  return others;
}

/**
 * The ETag of a record: its source's own, else the hash of its content without a day of birth. Answers hide the day, and whoever
 * knows all else would find it among 31 hashes.
 */
export function etagOf({ data, etag: hash }: StoredRecord): string {
  const { etag } = data as { etag?: unknown };
  if (typeof etag === "string") return etag;
  const shown = withoutBirthDay(data as Members);
  return shown === data ? hash : contentHash(shown);
}

/** The data itself where it has no day of birth that answers hide: that of a disqualified officer is one text, and shown. */
function withoutBirthDay(data: Members): Members {
  const { birth_day, date_of_birth: birth, ...others } = data;
  const { day, ...month } = isMembers(birth) ? birth : {};
  if (birth_day === undefined && day === undefined) return data;
  return { ...others, date_of_birth: day === undefined ? birth : month };
}
