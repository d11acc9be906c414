/** Owns what earlier batches of a dry run have told, which no store holds: the same record may come again. */
import type { RecordDefinition } from "../../api/resources/define-record.ts";
import type { PendingRecord } from "../writers/compare.ts";
import { IdSet } from "./id-set.ts";

/**
 * Records that rows have told so far, by what they said.
 *
 * Limit: what a record would be after several rows is not followed: a row that says something else than the rows
 * before it counts as a change, and one that says what is held as none. Memory: some 30 bytes a record.
 */
export class ToldBefore {
  private readonly ids = new IdSet();
  private readonly versions = new IdSet();

  /** What a row does to a record that an earlier one has told; undefined when none has. Keeps what it says. */
  tell({ collection }: RecordDefinition, { stored, event }: PendingRecord): "changed" | "none" | undefined {
    const id = `${collection}\t${stored._id}`;
    const version = `${id}\t${stored.etag}\t${event?.timepoint ?? ""}`;
    const effect = this.versions.has(version) ? "none" : this.ids.has(id) ? "changed" : undefined;
    this.ids.add(id);
    this.versions.add(version);
    return effect;
  }

  /** True the first time that this is told to be deleted. */
  remove({ collection }: RecordDefinition, field: string, value: string): boolean {
    const removal = `${collection}\t${field}\t${value}\tdeleted`;
    if (this.versions.has(removal)) return false;
    this.versions.add(removal);
    return true;
  }
}
