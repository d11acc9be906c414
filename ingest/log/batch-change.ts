/**
 * One batch's entry in the change log. It is entered before the batch writes anything, and marked as written when the
 * batch is done. Meanwhile it collects what followers need: changed records, search documents, links, addresses.
 */
import { RefusedDocumentError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { isTombstone, type RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import type { Incoming } from "../statements/absorb.ts";
import { writeStatements, type Replaced, type Written } from "../statements/write.ts";
import { StandingNotes } from "../persons/inactive.ts";
import { LinkNotes } from "../links/note.ts";
import { documentsOf } from "../projection/documents.ts";
import { projectBatchRecords } from "../projection/project.ts";
import { amendChange, enterChange, markRefused, type Change, type Ids, type NewChange } from "./changes.ts";

/** A change that writes records: revisions order what it writes. */
type NewBatch = NewChange & { revision: number };
type Done = Pick<Change, "counts"> | undefined;
type Addresses = NonNullable<Change["addresses"]>;

export class BatchChange {
  private readonly changed: Ids = {};
  private readonly quiet: Ids = {};
  /** Collections in `first` that did contain records: for example, an event wrote some before the load was resumed. */
  private readonly shared = new Set<string>();
  private readonly documents: Ids = {};
  private readonly indexed: Change["indexed"] = {};
  private readonly links = new LinkNotes();
  private readonly standings = new StandingNotes();
  private readonly addresses: Addresses = {};
  /** The ids that the change was entered with, and those of further records that it replaces. */
  private readonly ids: Ids;

  private constructor(
    private readonly stores: Stores,
    private entered: Change,
    private readonly fresh: NewBatch,
  ) {
    this.ids = { ...fresh.ids };
  }

  /** Enters a change, calls `write`, then marks the change as written, or as refused if Elasticsearch refuses it. */
  static async make<Outcome extends Done>(
    stores: Stores,
    fresh: NewBatch,
    write: (change: BatchChange) => Promise<Outcome>,
  ): Promise<Outcome> {
    const change = new BatchChange(stores, await enterChange(stores, fresh), fresh);
    try {
      const done = await write(change);
      await change.finish(done);
      return done;
    } catch (error) {
      if (error instanceof RefusedDocumentError)
        await markRefused(stores.mongo.documents, change.entered, error.message);
      throw error;
    }
  }

  /** Writes statements of records that no row of the batch names. They get a change of their own. */
  static async write(
    stores: Stores,
    fresh: Omit<NewBatch, "ids">,
    record: RecordDefinition,
    incoming: readonly Incoming[],
  ): Promise<Written[]> {
    let written: Written[] = [];
    const ids = { [record.collection]: incoming.map(({ id }) => id) };
    await BatchChange.make(stores, { ...fresh, ids }, async (change) => {
      const onReplace = (replaced: readonly Replaced[]) => change.noteReplaced(record, replaced);
      const { revision } = fresh;
      written = await writeStatements(stores.mongo, record, incoming, { revision, onReplace });
      await change.index(record, written);
      return undefined;
    });
    return written;
  }

  /** Notes records, and the documents that may lose them. Call it before the records are replaced. */
  async noteReplaced(record: RecordDefinition, replaced: readonly Replaced[]): Promise<void> {
    const { collection } = record;
    const stored = replaced.map(({ before }) => before);
    const named = [...(this.ids[collection] ?? []), ...replaced.map(({ now }) => now._id)];
    this.ids[collection] = [...new Set(named)];
    const left = addressesLeft(record, replaced);
    if (left.length > 0) (this.addresses[collection] ??= []).push(...left);
    this.standings.noteLeft(record, stored);
    this.links.noteLeft(record, stored);
    this.add(documentsOf(record, stored));
    const areChanged = replaced.some(({ before, now }) => before.etag !== now.etag);
    if (areChanged && this.fresh.first?.includes(collection)) this.shared.add(collection);
    // Even if there is nothing new to note: the change may have been closed meanwhile. If this process then died, no
    // follower would see what it wrote.
    await this.amend();
  }

  /** Notes documents of several records that must be made again, even if this batch fails. */
  async noteDocuments(ids: Ids): Promise<void> {
    this.add(ids);
    await this.amend();
  }

  /**
   * Notes what was written, and indexes documents of single records. In a first load it also indexes documents of
   * several records, except those in `apart`, of which other batches have rows.
   */
  async index(
    record: RecordDefinition,
    written: readonly Written[],
    apart?: readonly string[],
  ): Promise<void> {
    const { collection } = record;
    // A record that an earlier run of this batch wrote is `known`, but may not have reached the search.
    const own = written.filter(
      ({ stored, effect }) => effect !== "known" || stored.revision === this.fresh.revision,
    );
    const changed = own.map(({ stored }) => stored);
    this.changed[collection] = [...(this.changed[collection] ?? []), ...changed.map(({ _id }) => _id)];
    this.links.noteMade(record, changed);
    this.standings.noteMade(record, changed);
    const isQuiet = ({ effect }: Written) =>
      effect === "noted" || effect === "known" || (effect === "created" && this.shared.has(collection));
    const quiet = own.filter(isQuiet);
    this.quiet[collection] = [...(this.quiet[collection] ?? []), ...quiet.map(({ stored }) => stored._id)];
    const whole = apart && { apart, version: this.fresh.revision };
    const indexed = await projectBatchRecords(this.stores, record, changed, whole);
    Object.assign(this.indexed, indexed);
    const others = new Set(apart);
    for (const [index, made] of Object.entries(documentsOf(record, changed)))
      this.add({ [index]: index in indexed ? made.filter((id) => others.has(id)) : made });
  }

  private finish(done: Done): Promise<void> {
    const { ids: all, changed, quiet, indexed } = this;
    const named = Object.entries(all);
    const areChanged = ([name, ids]: [string, string[]]) => {
      const known = new Set(changed[name]);
      return known.size === ids.length && ids.every((id) => known.has(id));
    };
    const isAll = named.length > 0 && named.every(areChanged);
    return this.amend({ state: "written", ...done, indexed, quiet, ...(!isAll && { changed }) });
  }

  /** Stores the notes. If a follower has closed the change, because it took too long, the change is entered again. */
  private async amend(members: Partial<Change> = {}): Promise<void> {
    const { stores, fresh, ids, documents, links, standings, addresses } = this;
    const noted = { ids, documents, links: links.list(), standings: standings.list(), addresses };
    const amended = { ...noted, ...this.first(), ...members };
    while (!(await amendChange(stores.mongo.documents, this.entered, amended)))
      this.entered = await enterChange(stores, { ...fresh, ids, ...this.first() });
  }

  private first(): Pick<Change, "first"> {
    const { first } = this.fresh;
    return first ? { first: first.filter((name) => !this.shared.has(name)) } : {};
  }

  private add(ids: Ids): void {
    for (const [index, some] of Object.entries(ids))
      this.documents[index] = [...new Set([...(this.documents[index] ?? []), ...some])];
  }
}

/**
 * The addresses in streams that these records no longer have. A tombstone keeps its record's address. If the record
 * comes back at another address, the old one is listed here, since its deletion may not have been sent.
 */
function addressesLeft({ incoming }: RecordDefinition, replaced: readonly Replaced[]): Addresses[string] {
  return replaced.flatMap(({ before, now }) => {
    const address = isTombstone(before) ? before.address : incoming?.addressOf?.(before.data);
    return address && !isTombstone(now) && address.uri !== incoming?.addressOf?.(now.data).uri ? address : [];
  });
}
