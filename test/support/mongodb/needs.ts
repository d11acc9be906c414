/**
 * What the service needs of MongoDB: the commands that it sends, their members and operators, the errors that it acts on, and
 * what it relies on. The suites run on a stand-in that speaks MongoDB's protocol, so MongoDB's manual is the authority here:
 * `page` is one of its pages, which was read for each of the `VERSIONS`. Every suite fails when the service sends what is not
 * in this list, and a run of all suites when something in it was never sent. scripts/docs/mongodb.md is made from it.
 */
import * as codes from "../../../api/shared/stores/mongodb/codes.ts";

/** The versions of MongoDB that the list was compared with. */
export const VERSIONS = ["7.0", "8.0"] as const;

/** Address of a page of the manual of the newest of them; the others have it at the same place. */
export const addressOf = (page: string) => `https://www.mongodb.com/docs/v${VERSIONS.at(-1)}/${page}/`;

interface Need {
  /** What the service uses it for. */
  use: string;
  /** Page of the manual that promises it. */
  page: string;
}

export interface Command {
  use: string;
  /** Members besides the first, those of statements behind a point; none by default. */
  members?: string;
  /** The page of the command itself by default. */
  page?: string;
  /** The action that the user needs a right to, as the manual names it; none where every user has it. */
  right?: string;
  /** `driver`: sent by itself; `tests`: by tests and benchmarks alone. */
  by?: "driver" | "tests";
}

/** The page of a command. */
export const pageOf = (name: string) => COMMANDS[name]?.page ?? `reference/command/${name}`;

/** By name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  find: {
    use: "lookups, lists, groups of records, and scans of whole collections",
    members: "filter sort skip limit projection batchSize singleBatch maxTimeMS",
    right: "find",
  },
  getMore: {
    use: "the next chunk of an answer",
    members: "collection batchSize",
  },
  killCursors: {
    use: "ends an answer of which no more is read",
    members: "cursors",
  },
  aggregate: {
    use: "counts",
    members: "pipeline cursor maxTimeMS",
    right: "find",
  },
  insert: {
    use: "new documents, in bulk",
    members: "documents ordered writeConcern",
    right: "insert",
  },
  update: {
    use: "changed documents, in bulk and under conditions",
    members: "updates updates.q updates.u updates.upsert ordered writeConcern",
    right: "update",
  },
  delete: {
    use: "documents of the service itself that have expired",
    members: "deletes deletes.q deletes.limit ordered writeConcern",
    right: "remove",
  },
  createIndexes: {
    use: "the indexes, when stores are prepared",
    members: "indexes indexes.key indexes.name indexes.unique",
    right: "createIndex",
  },
  listIndexes: {
    use: "whether the indexes are those of this release",
    members: "cursor",
    right: "listIndexes",
  },
  collStats: {
    use: "the size of a collection; without it `status` and the metrics have none",
    right: "collStats",
  },
  dbStats: {
    use: "the room on its disk, for `doctor` and `reindex`",
    right: "dbStats",
  },
  serverStatus: {
    use: "whether it is MongoDB or a stand-in; a user without the right gets no answer, and none is missed",
    right: "serverStatus",
  },
  buildInfo: { use: "its version" },
  ping: { use: "whether it answers" },
  hello: {
    use: "its clock; for the driver, what the server is and which member is the primary",
    members: "topologyVersion maxAwaitTimeMS",
  },
  ismaster: {
    use: "the first command of every connection, for the driver",
    members: "helloOk client compression backpressure saslSupportedMechs speculativeAuthenticate",
    page: "reference/command/hello",
    by: "driver",
  },
  saslStart: {
    use: "logs in, where MONGODB_URL names a user",
    members: "mechanism payload autoAuthorize options",
    page: "core/security-scram",
    by: "driver",
  },
  saslContinue: {
    use: "logs in, where MONGODB_URL names a user",
    members: "conversationId payload",
    page: "core/security-scram",
    by: "driver",
  },
  endSessions: {
    use: "ends the sessions of a client that is closed",
    members: "writeConcern",
    by: "driver",
  },
  dropDatabase: {
    use: "removes the registers of tests and benchmarks",
    members: "writeConcern",
    right: "dropDatabase",
    by: "tests",
  },
};

/** Members that the driver adds to any command, by what it knows of the server. */
export const MEMBERS_OF_ANY: Readonly<Record<string, Need>> = {
  $db: { use: "the database", page: "reference/mongodb-wire-protocol" },
  lsid: { use: "the session of the command, and of its cursor", page: "reference/server-sessions" },
  txnNumber: { use: "a write that may be repeated, on a replica set", page: "core/retryable-writes" },
  $clusterTime: { use: "the time of a replica set", page: "core/read-isolation-consistency-recency" },
  $readPreference: {
    use: "the primary for all that reads or writes; any member for `endSessions`",
    page: "core/read-preference",
  },
};

/** Operators, kinds of update, and members of a write concern, by their names among the parts of a command. */
export const OPERATORS: Readonly<Record<string, Need>> = {
  "query operator $in": {
    use: "one of up to 10,000 values; a text, number or boolean by itself means one that is equal",
    page: "reference/operator/query/in",
  },
  "query operator $ne": {
    use: "not this value; a document without the member fits, too",
    page: "reference/operator/query/ne",
  },
  "query operator $exists": {
    use: "a member that is not there, so that one of many sets it",
    page: "reference/operator/query/exists",
  },
  "query operator $gt": { use: "behind a text, in the order of bytes", page: "reference/operator/query/gt" },
  "query operator $lt": { use: "before a text, in the order of bytes", page: "reference/operator/query/lt" },
  "query operator $lte": { use: "a rank that is not higher", page: "reference/operator/query/lte" },
  "query operator $nor": { use: "what is to be kept", page: "reference/operator/query/nor" },
  "update operator $set": {
    use: "sets members, and leaves the others",
    page: "reference/operator/update/set",
  },
  "update with a whole document": {
    use: "replaces all members but `_id`",
    page: "reference/method/db.collection.replaceOne",
  },
  "stage $match": { use: "what is counted", page: "reference/operator/aggregation/match" },
  "stage $group": { use: "counts by combinations of values", page: "reference/operator/aggregation/group" },
  "expression $sum": { use: "counts", page: "reference/operator/aggregation/sum" },
  "writeConcern.j": { use: "see the journal, below", page: "reference/write-concern" },
  "writeConcern.w": {
    use: "how many members confirm a write, where MONGODB_URL says so",
    page: "reference/write-concern",
  },
};

/** What a group of error codes means to the service. */
export interface ErrorNeed {
  codes: codes.Codes;
  /** What the service does. */
  does: string;
}

/** They are on the page `reference/error-codes` of the manual. */
export const ERRORS: readonly ErrorNeed[] = [
  { codes: codes.PASSING, does: "repeats a batch or command of its own; answers a request with 503" },
  { codes: codes.TOO_LONG, does: "answers the request with 503" },
  { codes: codes.OUT_OF_DISK, does: "the same as for the first, and names the disk" },
  { codes: codes.UNCONFIRMED, does: "the same as for the first, and names `w` in `MONGODB_URL`" },
  { codes: codes.DENIED, does: "fails, and says that user or rights are wrong" },
  { codes: codes.DUPLICATE, does: "takes the document as stored before; a `put` is repeated once" },
  { codes: codes.NOT_FOUND, does: "takes the collection as empty and without indexes" },
  { codes: codes.INDEX_CONFLICT, does: "fails, and names the index that is in the way" },
];

/** A promise of MongoDB that no test on a stand-in can show for it. */
export interface Promised extends Need {
  promise: string;
}

export const PROMISES: readonly Promised[] = [
  {
    promise: "A write of one document happens whole or not at all, and no reader sees half of it.",
    use: "a record is one document, with all that must change together",
    page: "core/write-operations-atomicity",
  },
  {
    promise:
      "The filter of an update holds at the moment of the write: of several at once under a condition that each of them ends, one succeeds.",
    use: "a record replaces the revision that was read; a claim has one winner",
    page: "core/write-operations-atomicity",
  },
  {
    promise: "`_id` is unique in a collection, and so are the values of a unique index.",
    use: "two workers that insert one record; two people with one e-mail address",
    page: "core/index-unique",
  },
  {
    promise:
      "With `ordered: false` a bulk write goes on behind a document that fails, and names each one that did by its place.",
    use: "new records are told from those that exist in one command",
    page: pageOf("insert"),
  },
  {
    promise:
      "Of two upserts of one `_id` at once one inserts; the other updates, or fails with DuplicateKey and succeeds when it is repeated.",
    use: "documents of the service itself (`put`)",
    page: pageOf("update"),
  },
  {
    promise: "With `j: true` a write is acknowledged when it is in the journal.",
    use: "a batch that counts as written survives the death of the server",
    page: "reference/write-concern",
  },
  {
    promise: "With `w=majority` an acknowledged write survives the loss of a member.",
    use: "production (`MONGODB_URL`); nothing else changes with it",
    page: "reference/write-concern",
  },
  {
    promise:
      "Reads go to the primary, with the read concern `local`: they see what was acknowledged before, until a new primary may roll it back.",
    use: "the worker compares what it reads with what it writes",
    page: "reference/read-concern-local",
  },
  {
    promise:
      "A query is no snapshot. The service takes each document once by its `_id`, and expects to miss what is written meanwhile.",
    use: "reads of many records, while loads run",
    page: "core/read-isolation-consistency-recency",
  },
  {
    promise: "An index gives its documents in their order, also for a sort by its keys.",
    use: "scans meet each record once, because no record changes the key that it is sorted by",
    page: "tutorial/sort-results-with-indexes",
  },
  {
    promise: "Without a collation texts are compared by their bytes.",
    use: "positions in the change log, spans of ids, sorted lists",
    page: "reference/bson-type-comparison-order",
  },
  {
    promise: "`maxTimeMS` ends a read in the server, with MaxTimeMSExpired.",
    use: "a request whose time is over costs the server nothing more",
    page: "tutorial/terminate-running-operations",
  },
  {
    promise: "`createIndexes` does nothing for an index that exists, and refuses one that differs from it.",
    use: "stores can be prepared again and again, by several processes at once",
    page: pageOf("createIndexes"),
  },
  {
    promise: "A document has up to 16 MB, a bulk write up to 100,000 statements.",
    use: "a question lists up to 10,000 ids; the driver parts larger bulks",
    page: "reference/limits",
  },
  {
    promise: "A cursor that is not read stays open for 30 minutes, as long as its session.",
    use: "a scan that waits for another store continues; a longer wait is a CursorNotFound",
    page: "reference/method/cursor.noCursorTimeout",
  },
  {
    promise: "On a replica set the driver repeats a write of one document once, and the server does it once.",
    use: "a change of the primary interrupts no load",
    page: "core/retryable-writes",
  },
];

/** Every part of a command that the service may send; see `notePartsOf`. */
export const NEEDED: ReadonlySet<string> = new Set([
  ...Object.keys(COMMANDS),
  ...Object.entries(COMMANDS).flatMap(([name, { members }]) =>
    (members?.split(" ") ?? []).map((member) => `${name}.${member}`),
  ),
  ...Object.keys(MEMBERS_OF_ANY).map((member) => `any command.${member}`),
  ...Object.keys(OPERATORS),
]);
