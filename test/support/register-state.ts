/** Owns the state of a whole register as tests compare it: records by content, what is gone, search documents. */
import { keyOf } from "../../api/shared/values/members.ts";
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import type { RecordDefinition, Statement } from "../../api/shared/definitions/define-record.ts";
import { records } from "../../api/resources/index.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { indices } from "../../index-mappings/index.ts";
import { fetchAfter, type Change } from "../../ingest/log/changes.ts";
import { batchOf } from "../../ingest/statements/statement.ts";
import { fetchLive } from "../../api/shared/stores/collections/positions.ts";
import { showUnder } from "../../ingest/projection/groups.ts";
import { lastEventOf } from "./statements.ts";

/** What two registers that were told the same hold alike; revisions and versions tell of the order and are left out. */
export interface RegisterState {
  /** `<collection>/<id>` to content hash and the timepoint that told it. */
  records: Record<string, string>;
  /** What is known to be gone: the same, with what states it. */
  gone: Record<string, unknown>;
  /** `<index>/<id>` to the document. */
  documents: Record<string, unknown>;
  /** Changes that the live indices have not followed. */
  notFollowed: number;
}

/** Reads both stores whole. */
export async function fetchState(stores: Stores): Promise<RegisterState> {
  const state: RegisterState = { records: {}, gone: {}, documents: {}, notFollowed: 0 };
  await Promise.all([
    ...records.map((record) => readRecords(stores, record, state)),
    readDocuments(stores, state),
  ]);
  state.notFollowed = (await listNotFollowed(stores)).length;
  return state;
}

async function readRecords({ mongo }: Stores, record: RecordDefinition, state: RegisterState): Promise<void> {
  for await (const chunk of mongo.scanner.scan(record, {})) {
    for (const stored of chunk) {
      const event = lastEventOf(stored);
      state.records[`${record.collection}/${stored._id}`] = event
        ? `${stored.etag} ${event.uri} ${event.timepoint}`
        : stored.etag;
    }
  }
  for (const { _id, told } of await mongo.documents.list(record.collection, { gone: true }, 100_000))
    state.gone[`${record.collection}/${String(_id)}`] = (JSON.parse(String(told)) as Statement[]).map((one) =>
      batchOf(one) === undefined ? one : { ...one, place: undefined },
    );
}

async function readDocuments({ elasticsearch }: Stores, state: RegisterState): Promise<void> {
  await elasticsearch.refresh();
  for (const { name } of indices) {
    for await (const ids of elasticsearch.walkIds(name)) {
      for (const { id, source } of await elasticsearch.fetchDocuments(name, ids))
        state.documents[`${name}/${id}`] = source;
    }
  }
}

/** All changes behind a position of the log. */
export async function listAfter(stores: Stores, position: string): Promise<Change[]> {
  const found = await fetchAfter(stores, position);
  const last = found.at(-1);
  return last ? [...found, ...(await listAfter(stores, last._id))] : [];
}

/** Changes that the live indices have not followed. */
export async function listNotFollowed(stores: Stores): Promise<Change[]> {
  const { position } = await fetchLive(stores.mongo.documents);
  return listAfter(stores, position);
}

/** The search documents that MongoDB would make, for comparison with those that the indices hold. */
export async function projectState(stores: Stores): Promise<RegisterState["documents"]> {
  const documents: RegisterState["documents"] = {};
  const persons = await stores.mongo.documents.list(PERSONS, {}, 100_000);
  const real = new Map(persons.map(({ _id, officer_id }) => [String(_id), officer_id as string | undefined]));
  for (const index of indices) {
    const groups = new Map<string, Parameters<typeof index.document>[0]>();
    for await (const chunk of stores.mongo.scanner.scan(index.record, {})) {
      for (const item of chunk) {
        const stored = keyOf(item, index.groupBy);
        const id = real.get(stored) ?? stored;
        groups.set(
          id,
          [...(groups.get(id) ?? []), id === stored ? item : showUnder(id, [item], index)].flat(),
        );
      }
    }
    for (const [id, group] of groups) {
      const document = index.document(group);
      // Through JSON, as the engine returns it.
      if (document) documents[`${index.name}/${id}`] = JSON.parse(JSON.stringify(document));
    }
  }
  return documents;
}
