/** Reads the state of a whole register, for tests to compare: records, tombstones and search documents. */
import { keyOf } from "../../api/shared/values/members.ts";
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import type { RecordDefinition, Statement } from "../../api/shared/definitions/define-record.ts";
import { records } from "../../api/resources/index.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { indices } from "../../index-mappings/index.ts";
import { fetchAfter, type Change } from "../../ingest/log/changes.ts";
import { batchOf } from "../../ingest/statements/statement.ts";
import { fetchLive } from "../../api/shared/stores/collections/positions.ts";
import { underShownId } from "../../ingest/projection/groups.ts";
import { lastEventOf } from "./statements.ts";

/** The same in two registers that got the same statements. Revisions and versions are left out: they show the order. */
export interface RegisterState {
  /** `<collection>/<id>` to the content hash, and the last event that stated it, if any. */
  records: Record<string, string>;
  /** `<collection>/<id>` of each tombstone to its statements. */
  gone: Record<string, unknown>;
  /** `<index>/<id>` to the document. */
  documents: Record<string, unknown>;
  /** Changes that the live indices have not followed. */
  notFollowed: number;
}

/** Reads everything in both stores. */
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

/** All changes after a position in the log. */
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

/** The search documents that the records in MongoDB make, to compare with those in the indices. */
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
          [...(groups.get(id) ?? []), id === stored ? item : underShownId(id, [item], index)].flat(),
        );
      }
    }
    for (const [id, group] of groups) {
      const document = index.document(group);
      // Through JSON, as Elasticsearch returns it.
      if (document) documents[`${index.name}/${id}`] = JSON.parse(JSON.stringify(document));
    }
  }
  return documents;
}
