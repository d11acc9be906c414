/** Owns what a dry run still knows of records that it has told and cannot keep: that they were, and what was said. */
import { contentHash } from "../../api/core/identifiers.ts";
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import { IdSet } from "./id-set.ts";

/** What a row says of a record. */
export interface Said {
  id: string;
  data: unknown;
  /** Of an event. */
  timepoint?: number;
}

/**
 * Records that rows have told, by what they said.
 *
 * Limit: what a record would be after several rows is not followed: a row that says something else than the rows
 * before it counts as a change. Memory: some 30 bytes a record.
 */
export class ToldBefore {
  private readonly ids = new IdSet();
  private readonly versions = new IdSet();

  /** True for a record that a row has told. */
  has({ collection }: RecordDefinition, { id }: Said): boolean {
    return this.ids.has(`${collection}\t${id}`);
  }

  /** What a row does to a record that an earlier one has told. Keeps what it says. */
  tell({ collection }: RecordDefinition, said: Said): "changed" | "none" {
    const id = `${collection}\t${said.id}`;
    const version = `${id}\t${contentHash(said.data)}\t${said.timepoint ?? ""}`;
    const effect = this.versions.has(version) ? "none" : "changed";
    this.ids.add(id);
    this.versions.add(version);
    return effect;
  }
}
