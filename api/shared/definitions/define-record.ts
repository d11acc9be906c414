/** The RecordDefinition type: one kind of stored record, its identity, keys, schema and statements. */
import { compileReader, type ReadMembers } from "../schemas/read-members.ts";
import type { Check, JsonSchema } from "../schemas/validate.ts";
import { contentHash } from "../values/identifiers.ts";
import { isMembers, type Members } from "../values/members.ts";
import { compileCheck } from "../schemas/validate.ts";
import type { IncomingResource, RecordLocation, ResourceAddress } from "./incoming-resource.ts";

/** A value by which records are found or sorted: a top-level field, so that every database engine can index it. */
export type IndexValue = string | number | boolean;

/** The lookup and sort keys of a kind of record. */
export type IndexKeys = Record<string, IndexValue>;

/** The streaming event that last wrote or removed a record (bulk formats 5). */
export interface EventStamp {
  /** `resource_uri`, in canonical form. */
  uri: string;
  /** Increases within a stream; all events of one address are in the same stream. */
  timepoint: number;
  /** A UTC time, `2026-11-02T09:00:00.333Z`. */
  published_at: string;
}

/** Which daily updates were applied to a record, so that neither a repeated nor an older file reverts them. */
interface UpdateStamp {
  /** The day of the latest applied file, `YYYY-MM-DD`. */
  day: string;
  /** Positions in the series of updates, by what they did to the record; later updates have higher ones. */
  places: Partial<Record<string, number>>;
  /** `_id` under which the record was stored before the last of these moved it. */
  left?: string;
}

/** What one source states about a record, which is the merge of its statements by `at` (`ingest/statements`). */
export interface Statement {
  /**
   * The moment from which it counts: for a snapshot its day, `2026-11-01`; for an event its moment; for a daily update
   * the end of its day, `2026-11-01T24`. A row without a day gets a moment from the load, or that of the statement
   * before it.
   */
  at: string;
  /** The name of its source's merge rules. Without this and `of`, it states the whole record. */
  tells?: string;
  /** The members that it sets or removes, if it states only these. */
  of?: string[];
  /**
   * Dotted paths of values that its source cannot hold, or only in part, or that could not be read. For them, the
   * statements that it replaces still count. Former releases stored only names of top-level members.
   */
  leaves?: string[];
  /** The event that made the statement; for a row without a day, the event before it. */
  event?: Pick<EventStamp, "uri" | "timepoint">;
  /** Orders statements of one moment: the batch of a row, the line of a daily update. */
  place?: number;
  gone?: true;
  /** Its top-level members that differ from the record's; the others are not stored twice. */
  data?: Record<string, unknown>;
  /** Members that the record has and the statement has not. */
  lacks?: string[];
}

/** The members that records and tombstones have in common. */
interface RecordStamp {
  _id: string;
  /** SHA-1 of the content, 40 lower-case hex digits; loads detect unchanged records by it. Answers show `etagOf`. */
  etag: string;
  /** Increases with each write; an older write never overwrites a newer one. */
  revision: number;
  /** Its statements, in order. The name `told` stays, because a new name would mean rewriting every record. */
  told?: Statement[];
  /** Present if a daily update has changed the record. */
  update?: UpdateStamp;
}

/** A stored record: its keys, and in `data` the members that the API shows, except those computed when read. */
export type StoredRecord<Data = unknown, Keys extends IndexKeys = Record<never, IndexValue>> = Keys &
  RecordStamp & { data: Data };

/**
 * Replaces a record that a source has deleted, so that no older statement restores it. It has no content and no keys;
 * only members that no event can state survive, in its statements. Reads of records do not return it.
 */
type Tombstone = RecordStamp & {
  gone: true;
  /** The address for its deletion event in streams. Absent: the record never existed, or its kind has no stream. */
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

/** How an incoming API-shaped resource of this kind is read. */
interface IncomingRule<Data> {
  /** The values of `resource_kind` for this kind. */
  kinds: readonly string[];
  /**
   * JSON Schemas that together name every accepted member. The resource is read by them (`compileReader`) before
   * `normalise` gets it. The API grows, and a new member or word must not make a record invalid. Absent: `normalise`
   * reads it itself.
   */
  known?: readonly JsonSchema[];
  /** Maps the resource to the stored data, and adds a warning for each value that it drops. Throws RecordError. */
  normalise(resource: IncomingResource, warnings: string[]): Data;
  /** Finds its record by address and id only, because a deleted resource may have no data. Throws RecordError. */
  locate(resource: IncomingResource): RecordLocation;
  /** The record's address in streams; `locate` maps it back. Absent: its kind has no stream. */
  addressOf?(data: Data): ResourceAddress;
}

/** One kind of record: its collection, its content, its identity. */
export interface RecordDefinition<Data = unknown, Keys extends IndexKeys = IndexKeys> {
  /** The resource's own name, also used in messages: `company-profile`. */
  name: string;
  collection: string;
  /** JSON Schema of `data`; a load refuses a record that breaks it. */
  schema: JsonSchema;
  // Methods, not function properties: only then does a list of all records accept definitions with different data.
  /** The record's identity. */
  identify(data: Data): string;
  /** Values to find and sort by. */
  keysOf(data: Data): Keys;
  indexes: RecordIndex[];
  /** Absent: no source has API-shaped resources of this kind. */
  incoming?: IncomingRule<Data>;
  /** Checks `data` by `schema`. Throws if the schema itself is wrong. */
  check: Check;
}

/** Defines a kind of record; its schema is compiled once, when the first record is checked. */
export function defineRecord<Data, Keys extends IndexKeys>(
  definition: Omit<RecordDefinition<Data, Keys>, "check">,
): RecordDefinition<Data, Keys> {
  const { incoming } = definition;
  let check: Check | undefined;
  // Compiled on first use: to compile the schemas of all kinds takes half a second, and few commands need all.
  return {
    ...definition,
    ...(incoming ? { incoming: withReading(incoming) } : {}),
    check: (data) => (check ??= compileCheck(definition.schema))(data),
  };
}

/** The rule, with a `normalise` that first reads the resource by the schemas in `known`. */
function withReading<Data>(rule: IncomingRule<Data>): IncomingRule<Data> {
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

/** Drops an ETag of another form, which other servers make; answers then have one made from the content. */
function dropOddEtag(data: Members, warnings: string[]): Members {
  const { etag } = data;
  if (etag === undefined || (typeof etag === "string" && /^[0-9a-f]{40}$/.test(etag))) return data;
  warnings.push("etag: is not 40 hexadecimal digits, dropped");
  const others = { ...data };
  delete others.etag;
  return others;
}

/**
 * The ETag of a record: the one from its source, else a hash of its content without the day of birth. Answers hide this
 * day; if the hash included it, a reader could find it by trying 31 hashes.
 */
export function etagOf({ data, etag: hash }: StoredRecord): string {
  const { etag } = data as { etag?: unknown };
  if (typeof etag === "string") return etag;
  const shown = withoutBirthDay(data as Members);
  return shown === data ? hash : contentHash(shown);
}

/** Data without a day of birth that answers hide. (That of a disqualified officer is one text, and shown.) */
function withoutBirthDay(data: Members): Members {
  const { birth_day, date_of_birth: birth, ...others } = data;
  const { day, ...month } = isMembers(birth) ? birth : {};
  if (birth_day === undefined && day === undefined) return data;
  return { ...others, date_of_birth: day === undefined ? birth : month };
}
