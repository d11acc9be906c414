/**
 * Owns the filling of a new index: every record of MongoDB is read once, in the order of the documents' ids, and its
 * document written. What changes meanwhile stands in the log, and follows under higher versions: the document of one
 * record bears the record's revision; any other bears a version drawn before the first read.
 */
import { CommandError } from "../../api/core/errors.ts";
import type { IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import { nextOf } from "../../index-mappings/define-index.ts";
import { fetchBuild, type Build } from "../log/followers.ts";
import { InFlight } from "../in-flight.ts";
import { walkPersons } from "../persons/groups.ts";
import { Reservoir } from "./reservoir.ts";
import type { RecordGroup } from "../projection/walk-groups.ts";
import { bearsRevision } from "../projection/search-index.ts";
import { guardStop, type ReindexRun } from "./define-reindex.ts";

// Tuned: 4 requests of 2 MB keep a node busy; with fewer it waits for the scan, with more only memory grows.
const WRITES_UNDER_WAY = 4;
const WRITE_BYTES = 2_000_000;
// Groups looked at again when the index is filled.
const SAMPLED = 200;
// Between two looks whether the build is still to be.
const LOOK_MS = 2_000;

/** What a scan has written. */
export interface Filled {
  documents: number;
  /** Ids of some documents, each as likely as any other. */
  sample: string[];
}

/** Fills the index. `isResumed`: part of it may be there, which is then left as it is where its version says so. */
export function fillIndex(run: ReindexRun, build: Build, isResumed: boolean): Promise<Filled> {
  return new Filler(run, build, isResumed).run();
}

class Filler {
  private readonly inFlight = new InFlight(WRITES_UNDER_WAY);
  private readonly sample = new Reservoir<string>(SAMPLED);
  private done = 0;
  private documents = 0;
  private writes: IndexWrite[] = [];
  private bytes = 0;
  private lookedAt = performance.now();
  private version: number | undefined;

  constructor(
    private readonly reindex: ReindexRun,
    private readonly build: Build,
    private readonly isResumed: boolean,
  ) {}

  async run(): Promise<Filled> {
    const { stores, index, observer } = this.reindex;
    // Drawn even where revisions do: nothing is read before.
    const drawn = await stores.redis.nextRevision();
    this.version = bearsRevision(index) ? undefined : drawn;
    const total = await this.countLive();
    const progress = observer.watch(`building ${this.build._id}`, total);
    try {
      for await (const groups of walkPersons(stores.mongo, index)) {
        await this.guard();
        for (const group of groups) await this.add(group);
        progress.onProgress((this.done += groups.length));
      }
      await this.flush();
    } finally {
      // Nothing of it may be under way when the run has ended, with or without a fault.
      await this.inFlight.settle();
      progress.end();
    }
    await this.inFlight.finish();
    return { documents: this.documents, sample: this.sample.values };
  }

  /** As many documents as the live index has, about; an index that is made for the first time has none to be counted. */
  private async countLive(): Promise<number> {
    const { elasticsearch } = this.reindex.stores;
    const { name } = this.reindex.index;
    const reached = await elasticsearch.fetchReached([name]);
    return reached.length > 0 ? elasticsearch.count(name).catch(() => 0) : 0;
  }

  private async add({ id, records }: RecordGroup): Promise<void> {
    const made = this.reindex.index.document(records);
    if (!made) return;
    const document = JSON.stringify(made);
    this.writes.push({ id, version: this.version ?? records[0]?.revision ?? 0, document });
    this.bytes += document.length;
    this.documents += 1;
    this.sample.offer(id);
    if (this.bytes >= WRITE_BYTES) await this.flush();
  }

  private async flush(): Promise<void> {
    const { writes } = this;
    if (writes.length === 0) return;
    [this.writes, this.bytes] = [[], 0];
    await this.inFlight.add(() => this.write(writes));
  }

  private async write(writes: IndexWrite[]): Promise<void> {
    const { stores, index } = this.reindex;
    // Of a record's own revision there is one content only: it need not be written again.
    const how = { isNewerOnly: this.isResumed && this.version === undefined };
    const [refused] = await stores.elasticsearch.write(nextOf(index).name, writes, how);
    if (!refused) return;
    const reason = `it refused document ${refused.id}: ${refused.reason}`;
    throw new CommandError(`${this.build._id} cannot be built: ${reason}; the live index is untouched`);
  }

  private async guard(): Promise<void> {
    guardStop(this.reindex);
    if (performance.now() - this.lookedAt < LOOK_MS) return;
    this.lookedAt = performance.now();
    await guardBuild(this.reindex, this.build);
  }
}

/** Throws CommandError when somebody else has put an end to the build. */
export async function guardBuild({ stores, index }: ReindexRun, { _id }: Build): Promise<void> {
  const now = await fetchBuild(stores.mongo.documents, index.name);
  if (now?._id !== _id)
    throw new CommandError(`${_id} was given up by another process; the live index is untouched`);
}
