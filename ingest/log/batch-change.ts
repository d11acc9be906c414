/** Owns the change that one batch makes: entered before it writes MongoDB, finished when the search can follow. */
import { RefusedDocumentError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import type { HeldRecord, RecordDefinition, StoredRecord } from "../../api/resources/define-record.ts";
import type { BatchCounts } from "../queue/queue.ts";
import type { Written } from "../statements/write.ts";
import { indicesOf } from "../../index-mappings/index.ts";
import { pieceName, toPiece } from "../projection/pieces.ts";
import { documentsOf, writeInHand, type WholeDocuments } from "../projection/search-index.ts";
import { amendChange, enterChange, markRefused, type Change, type Ids, type NewChange } from "./changes.ts";

/** A change under way. */
export class BatchChange {
  private readonly changed: Ids = {};
  private readonly indexed: Change["indexed"] = {};
  private readonly documents = new Map<string, Set<string>>();
  private more: Partial<Change> = {};

  private constructor(
    private readonly stores: Stores,
    private entered: Change,
    private readonly fresh: NewChange,
  ) {}

  /**
   * Enters a change, does what writes MongoDB, and finishes it: with the counts that `write` returns, if any. What
   * Elasticsearch refuses is marked, for a later load to try again.
   */
  static async make<Counts extends BatchCounts | undefined>(
    stores: Stores,
    fresh: NewChange,
    write: (change: BatchChange) => Promise<Counts>,
  ): Promise<Counts> {
    const change = new BatchChange(stores, await enterChange(stores, fresh), fresh);
    try {
      const counts = await write(change);
      await change.finish(counts);
      return counts;
    } catch (error) {
      if (error instanceof RefusedDocumentError)
        await markRefused(stores.mongo.documents, change.entered, error.message);
      throw error;
    }
  }

  /** Notes, before they are replaced, which documents records may leave. */
  async leave(record: RecordDefinition, held: readonly StoredRecord[]): Promise<void> {
    await this.leaveDocuments(documentsOf(record, held));
  }

  /** Notes which documents of several records are to be made anew, whatever becomes of this batch. */
  async leaveDocuments(ids: Ids): Promise<void> {
    if (this.add(ids)) await this.amend(this.noted());
  }

  /**
   * Notes what was written, and brings to the search what of it is in hand. `whole`: which documents of several records that
   * are.
   */
  async index(record: RecordDefinition, written: readonly Written[], whole?: WholeDocuments): Promise<void> {
    const { collection } = record;
    // A rerun finds as known what the run before it has written, and perhaps not brought to the search.
    const isOwn = ({ held, effect }: Written) => effect !== "known" || held.revision === this.fresh.revision;
    const changed = written.filter(isOwn).map(({ held }) => held);
    this.changed[collection] = [...(this.changed[collection] ?? []), ...changed.map(({ _id }) => _id)];
    const indexed = await writeInHand(this.stores, record, changed, whole);
    Object.assign(this.indexed, indexed);
    const apart = new Set(whole?.apart);
    const isOpen = (index: string) => (id: string) => !(index in indexed) || apart.has(id);
    if (whole?.pieces !== undefined) return this.notePiece(record, changed, whole);
    const touched = Object.entries(documentsOf(record, changed));
    this.add(Object.fromEntries(touched.map(([index, ids]) => [index, ids.filter(isOpen(index))])));
  }

  /** Keeps the fingerprints of what is named, by its ids. */
  remember(prints: ReadonlyMap<string, string>): void {
    const named = Object.values(this.fresh.ids).flat();
    this.more = { ...this.more, prints: named.map((id) => prints.get(id) ?? "").join("\n") };
  }

  private notePiece(
    record: RecordDefinition,
    changed: readonly HeldRecord[],
    { apart: [document = ""], pieces = 0 }: WholeDocuments,
  ): void {
    for (const { name, bounds } of indicesOf(record)) {
      if (!bounds) continue;
      const piece_data = toPiece(bounds, changed, pieces);
      this.more = { ...this.more, piece: pieceName(name, this.fresh.load, document), piece_data };
    }
  }

  private async finish(counts: BatchCounts | undefined): Promise<void> {
    const { fresh, changed, indexed } = this;
    const isAll = Object.entries(fresh.ids).every(
      ([name, ids]) => ids.length === (changed[name]?.length ?? 0),
    );
    const members: Partial<Change> = {
      state: "written",
      ...this.noted(),
      indexed,
      ...(counts && { counts }),
      ...this.more,
    };
    if (!isAll) members.changed = changed;
    await this.amend(members);
  }

  /** One that was closed, since it took so long, is entered again: whoever follows has perhaps not seen all of it. */
  private async amend(members: Partial<Change>): Promise<void> {
    const { stores, fresh } = this;
    while (!(await amendChange(stores.mongo.documents, this.entered, members)))
      this.entered = await enterChange(stores, fresh);
  }

  /** True when some were not noted yet. */
  private add(ids: Ids): boolean {
    let isNew = false;
    for (const [index, some] of Object.entries(ids)) {
      const noted = this.documents.get(index) ?? new Set();
      const before = noted.size;
      for (const id of some) noted.add(id);
      this.documents.set(index, noted);
      isNew ||= noted.size > before;
    }
    return isNew;
  }

  private noted(): { documents: Ids } {
    const noted = [...this.documents].map(([index, ids]): [string, string[]] => [index, [...ids]]);
    return { documents: Object.fromEntries(noted) };
  }
}
