/**
 * Owns the filling of a new index: every record of MongoDB is read once, in the order of the documents' ids, and its
 * document written. What changes meanwhile stands in the log, and follows under higher versions: the document of one
 * record bears the record's revision; any other bears a version drawn before the first read.
 */
import { CommandError } from "../../api/core/errors.ts";
import type { IndexWrite } from "../../api/core/stores/elasticsearch.ts";
import { nextOf } from "../../index-mappings/define-index.ts";
import { InFlight } from "../in-flight.ts";
import type { Build } from "../log/followers.ts";
import { bearsRevision, toJson } from "../projection/search-index.ts";
import { walkWatched } from "../verify/compare-index.ts";
import type { ReindexRun } from "./define-reindex.ts";
import { Reservoir } from "./reservoir.ts";

// Tuned: 4 requests of 2 MB keep a node busy; with fewer it waits for the scan, with more only memory grows.
const WRITES_UNDER_WAY = 4;
const WRITE_BYTES = 2_000_000;
// Documents looked at again when the index is filled.
const SAMPLED = 200;

/** What an index was filled with. */
export interface Filled {
  documents: number;
  /** Ids of some documents, each as likely as any other. */
  sample: string[];
}

/** Fills the index, of which a part may be there. Throws CommandError when it refuses a document. */
export async function fillIndex(run: ReindexRun, build: Build): Promise<Filled> {
  const inFlight = new InFlight(WRITES_UNDER_WAY);
  const sample = new Reservoir<string>(SAMPLED);
  let documents = 0;
  try {
    for await (const writes of makeRequests(run, build)) {
      documents += writes.length;
      for (const { id } of writes) sample.offer(id);
      await inFlight.add(() => write(run, build, writes));
    }
  } finally {
    // Nothing of it may be under way when the run has ended, with or without a fault.
    await inFlight.finish();
  }
  return { documents, sample: sample.values };
}

async function* makeRequests(run: ReindexRun, { _id }: Build): AsyncGenerator<IndexWrite[]> {
  const { stores, index, observer } = run;
  const watched = { observer, what: `building ${_id}` };
  // Drawn even where revisions do: nothing is read before.
  const drawn = await stores.redis.nextRevision();
  const versionOf = bearsRevision(index) ? (revision = 0) => revision : () => drawn;
  let [writes, bytes]: [IndexWrite[], number] = [[], 0];
  for await (const groups of walkWatched(stores, nextOf(index), watched, await countLive(run))) {
    for (const { id, records } of groups) {
      const document = toJson(index.document(records));
      if (document === null) continue;
      writes.push({ id, version: versionOf(records[0]?.revision), document });
      bytes += document.length;
      if (bytes < WRITE_BYTES) continue;
      yield writes;
      [writes, bytes] = [[], 0];
    }
  }
  if (writes.length > 0) yield writes;
}

/** As many documents as the live index has, about; an index that is made for the first time has none to be counted. */
async function countLive({ stores: { elasticsearch }, index: { name } }: ReindexRun): Promise<number> {
  const reached = await elasticsearch.fetchReached([name]);
  return reached.length > 0 ? elasticsearch.count(name).catch(() => 0) : 0;
}

async function write({ stores, index }: ReindexRun, { _id }: Build, writes: IndexWrite[]): Promise<void> {
  // Of a record's own revision there is one content only: it need not be written again.
  const how = { isNewerOnly: bearsRevision(index) };
  const [refused] = await stores.elasticsearch.write(nextOf(index).name, writes, how);
  if (!refused) return;
  const reason = `it refused document ${refused.id}: ${refused.reason}`;
  throw new CommandError(`${_id} cannot be built: ${reason}; the live index is untouched`);
}
