/**
 * What the service needs of MongoDB: the commands that it sends, their members and operators, the errors that it
 * handles, and the promises that it relies on. The suites run on a stand-in that speaks MongoDB's protocol, so
 * MongoDB's manual is the authority: `page` is one of its pages, which the manual of each of the `VERSIONS` has. A
 * suite fails if the service sends something that is not listed; a run of all suites fails if something listed was
 * never sent. The tables of scripts/docs/mongodb.md are generated from this file.
 */
import * as codes from "../../../api/shared/stores/mongodb/codes.ts";

/** The versions of MongoDB that the list was compared with. */
export const VERSIONS = ["7.0", "8.0"] as const;

/** Address of a page in the manual of the newest version; the other manuals have it at the same path. */
export const addressOf = (page: string) => `https://www.mongodb.com/docs/v${VERSIONS.at(-1)}/${page}/`;

interface Need {
  /** What the service uses it for. */
  use: string;
  /** Page of the manual that promises it. */
  page: string;
}

export interface Command {
  use: string;
  /** Members besides the first; members of statements follow a point (`updates.q`). None by default. */
  members?: string;
  /** By default the page of the command itself. */
  page?: string;
  /** The privilege that the user needs, by its name in the manual; absent if every user may send the command. */
  right?: string;
  /** `driver`: the driver sends it by itself; `tests`: only tests and benchmarks send it. */
  by?: "driver" | "tests";
}

/** The manual's page of a command. */
export const pageOf = (name: string) => COMMANDS[name]?.page ?? `reference/command/${name}`;

/** By name. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  find: {
    use: "lookups, lists, groups of records, and scans of whole collections",
    members: "filter sort skip limit projection batchSize singleBatch maxTimeMS",
    right: "find",
  },
  getMore: {
    use: "the next chunk of a cursor",
    members: "collection batchSize",
  },
  killCursors: {
    use: "ends a cursor that is not read to its end",
    members: "cursors",
  },
  aggregate: {
    use: "numbers of records",
    members: "pipeline cursor maxTimeMS",
    right: "find",
  },
  insert: {
    use: "inserts documents in bulk",
    members: "documents ordered writeConcern",
    right: "insert",
  },
  update: {
    use: "replaces and changes documents under conditions, one by one and in bulk",
    members: "updates updates.q updates.u updates.upsert ordered writeConcern",
    right: "update",
  },
  delete: {
    use: "removes expired documents of the service itself, such as tokens; records are never removed",
    members: "deletes deletes.q deletes.limit ordered writeConcern",
    right: "remove",
  },
  createIndexes: {
    use: "creates the indexes that are missing (`prepare`)",
    members: "indexes indexes.key indexes.name indexes.unique",
    right: "createIndex",
  },
  listIndexes: {
    use: "compares the indexes with those of this release",
    members: "cursor",
    right: "listIndexes",
  },
  collStats: {
    use: "number of records of a collection, and its size",
    right: "collStats",
  },
  dbStats: {
    use: "room on the disk (`doctor`)",
    right: "dbStats",
  },
  buildInfo: { use: "version of the server (`doctor`)" },
  ping: { use: "whether the server answers" },
  hello: {
    use: "which member is the primary, from the driver",
    members: "topologyVersion maxAwaitTimeMS",
    by: "driver",
  },
  ismaster: {
    use: "first command of each connection, from the driver",
    members: "helloOk client compression backpressure saslSupportedMechs speculativeAuthenticate",
    page: "reference/command/hello",
    by: "driver",
  },
  saslStart: {
    use: "logs in the user of `MONGODB_URL`, from the driver",
    members: "mechanism payload autoAuthorize options",
    page: "core/security-scram",
    by: "driver",
  },
  saslContinue: {
    use: "logs in the user of `MONGODB_URL`, from the driver",
    members: "conversationId payload",
    page: "core/security-scram",
    by: "driver",
  },
  endSessions: {
    use: "ends the sessions when a process stops, from the driver",
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

/** Members that the driver can add to any command, depending on the server. */
export const MEMBERS_OF_ANY: Readonly<Record<string, Need>> = {
  $db: { use: "name of the database", page: "reference/mongodb-wire-protocol" },
  lsid: { use: "session of the command and of its cursor", page: "reference/server-sessions" },
  txnNumber: {
    use: "number of a write that can be retried, on a replica set",
    page: "core/retryable-writes",
  },
  $clusterTime: { use: "cluster time of a replica set", page: "core/read-isolation-consistency-recency" },
  $readPreference: {
    use: "sent with `endSessions`, which any member may take; all else goes to the primary",
    page: "core/read-preference",
  },
};

/** Operators, kinds of update, and members of a write concern, by their names among the parts of a command. */
export const OPERATORS: Readonly<Record<string, Need>> = {
  "query operator $in": {
    use: "one of up to 10,000 values",
    page: "reference/operator/query/in",
  },
  "query operator $ne": {
    use: "any other value, or none: a document without the member matches, too",
    page: "reference/operator/query/ne",
  },
  "query operator $exists": {
    use: "false: a member that is not set yet",
    page: "reference/operator/query/exists",
  },
  "query operator $gt": { use: "texts after this one", page: "reference/operator/query/gt" },
  "query operator $lt": { use: "texts before this one", page: "reference/operator/query/lt" },
  "query operator $lte": { use: "numbers up to this one", page: "reference/operator/query/lte" },
  "query operator $nor": { use: "documents that a removal leaves", page: "reference/operator/query/nor" },
  "update operator $set": {
    use: "sets top-level members and leaves the others",
    page: "reference/operator/update/set",
  },
  "update with a whole document": {
    use: "replaces a document",
    page: "reference/method/db.collection.replaceOne",
  },
  "stage $match": { use: "which documents to count", page: "reference/operator/aggregation/match" },
  "stage $group": {
    use: "counts all, or by combinations of values",
    page: "reference/operator/aggregation/group",
  },
  "expression $sum": {
    use: "the number of documents of a group",
    page: "reference/operator/aggregation/sum",
  },
  "writeConcern.j": {
    use: "acknowledged when in the journal; always sent with writes of records",
    page: "reference/write-concern",
  },
  "writeConcern.w": {
    use: "how many members must confirm a write, if `MONGODB_URL` sets it",
    page: "reference/write-concern",
  },
};

/** What a group of error codes means to the service. */
export interface ErrorNeed {
  codes: codes.Codes;
  /** What the service does. */
  does: string;
}

/** The groups of error codes; the manual's page `reference/error-codes` has them. */
export const ERRORS: readonly ErrorNeed[] = [
  { codes: codes.PASSING, does: "retries in loads and commands; a request gets 503" },
  { codes: codes.TOO_LONG, does: "the request gets 503" },
  { codes: codes.OUT_OF_DISK, does: "retries, or 503; the message says that the disk is full" },
  { codes: codes.UNCONFIRMED, does: "retries, or 503; the message names `w` in `MONGODB_URL`" },
  { codes: codes.DENIED, does: "fails, and says that the user, password or rights are wrong" },
  { codes: codes.DUPLICATE, does: "knows that the document exists; an upsert is retried once" },
  { codes: codes.NOT_FOUND, does: "treats the collection as empty and without indexes" },
];

/** A promise of MongoDB, which no test on a stand-in can prove. */
export interface Promised extends Need {
  promise: string;
}

export const PROMISES: readonly Promised[] = [
  {
    promise: "A write changes a document completely or not at all, and no reader sees half of it.",
    use: "a record is one document, with all that must change together",
    page: "core/write-operations-atomicity",
  },
  {
    promise: "The filter of an update is checked again when the document is written.",
    use: "if several processes replace the same revision, or claim the same document, one succeeds",
    page: "core/write-operations-atomicity",
  },
  {
    promise: "`_id` is unique in a collection, and so are the values of a unique index.",
    use: "two workers that insert the same record; two people with the same e-mail address",
    page: "core/index-unique",
  },
  {
    promise:
      "With `ordered: false` a bulk write continues after a document that failed, and reports each failure by its position.",
    use: "one command inserts what is new, and finds out what exists",
    page: pageOf("insert"),
  },
  {
    promise:
      "If two upserts of one `_id` run at once, one inserts; the other updates, or fails with DuplicateKey and can be retried.",
    use: "documents of the service itself",
    page: "reference/method/db.collection.update",
  },
  {
    promise: "With `j: true` a write is acknowledged when it is in the journal.",
    use: "a batch that counts as written survives the death of the server",
    page: "reference/write-concern",
  },
  {
    promise:
      "With `w=majority` an acknowledged write survives the loss of a member; without `w` the replica set's default is used.",
    use: "production: set it in `MONGODB_URL`",
    page: "reference/write-concern",
  },
  {
    promise:
      "With the read concern `local`, the default, a read from the primary returns its newest data, which a failover may roll back.",
    use: "the worker compares what it reads with what it writes",
    page: "reference/read-concern-local",
  },
  {
    promise: "A query is not a snapshot: it can miss or repeat documents that are written meanwhile.",
    use: "the service keeps each document once, by its `_id`, and follows its change log for the rest",
    page: "core/read-isolation-consistency-recency",
  },
  {
    promise: "A sort by the keys of an index reads the documents in the order of the index.",
    use: "a scan returns each record once, because these keys of a record never change",
    page: "tutorial/sort-results-with-indexes",
  },
  {
    promise:
      "A condition on a member of documents in an array holds if one of them fulfils it, and an index on it finds each document once.",
    use: "the latest loads that read files of a source",
    page: "core/indexes/index-types/index-multikey",
  },
  {
    promise: "Without a collation, texts are compared by their bytes.",
    use: "positions in the change log, ranges of ids, sorted lists",
    page: "reference/bson-type-comparison-order",
  },
  {
    promise: "`maxTimeMS` ends an operation in the server, with MaxTimeMSExpired.",
    use: "a request whose time is over costs the server nothing more",
    page: "tutorial/terminate-running-operations",
  },
  {
    promise: "`createIndexes` does nothing for an index that exists.",
    use: "`prepare` can run in several processes at once",
    page: pageOf("createIndexes"),
  },
  {
    promise: "A document has up to 16 MB, a bulk write up to 100,000 statements.",
    use: "a filter lists up to 10,000 ids; the driver splits larger bulk writes",
    page: "reference/limits",
  },
  {
    promise: "A cursor that nobody reads stays open as long as its session, 30 minutes.",
    use: "a scan can wait for another store; after that it ends with CursorNotFound",
    page: "tutorial/iterate-a-cursor",
  },
  {
    promise:
      "On a replica set the driver retries a write of single documents once, and the server applies it once.",
    use: "a failover interrupts no load",
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
