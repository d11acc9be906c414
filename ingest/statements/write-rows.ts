/** Owns the writing of records that a file tells, to MongoDB. */
import type { MongoStore } from "../../api/core/stores/mongo.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import { tellCorrections } from "../persons/corrections.ts";
import type { Incoming } from "./absorb.ts";
import { isWritten, writeStatements, type Writing, type Written } from "./write.ts";

/** What writing records of one kind came to. */
export interface KindOutcome {
  outcome: Written[];
  /** Records that have got another content by this run, or by an earlier one of the same batch. */
  written: number;
  /** Of the written ones those of which nothing was held. */
  created: number;
  /** Records that are gone by it. */
  removed: number;
  warnings?: string[];
}

/** What the records are read from and written to. */
export type Truth = Pick<MongoStore, "records" | "writer" | "documents">;

/** Writes records of one kind. `isFirst`: nothing was known of any person as their load began. */
export async function writeRows(
  mongo: Truth,
  record: RecordDefinition,
  rows: readonly Incoming[],
  writing: Writing,
  isFirst = false,
): Promise<KindOutcome> {
  const incoming = isFirst ? rows : await tellCorrections(mongo, rows);
  const outcome = await writeStatements(mongo, record, incoming, writing);
  const written = outcome.filter((item) => isWritten(item, writing.revision)).length;
  const created = outcome.filter(({ effect }) => effect === "created").length;
  return { outcome, written, created, removed: 0 };
}
