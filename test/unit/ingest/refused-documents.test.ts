/** Documents that Elasticsearch refuses do not block others. */
import { expect, it } from "@jest/globals";
import { nextOf } from "../../../api/shared/definitions/define-index.ts";
import { RefusedDocumentError } from "../../../api/shared/runtime/errors.ts";
import type { IndexWrite } from "../../../api/shared/stores/elasticsearch/elasticsearch.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { findIndex } from "../../../index-mappings/index.ts";
import { projectDocuments } from "../../../ingest/projection/project.ts";

it("a projection writes the documents after a refused one, then says why that was refused", async () => {
  const ids = Array.from({ length: 4_001 }, (_, at) => String(at));
  const written: string[] = [];
  const refused = new Set(["3", "2500"]);
  const write = (_index: string, writes: IndexWrite[]) => {
    written.push(...writes.map(({ id }) => id).filter((id) => !refused.has(id)));
    const reason = "mapper_parsing_exception";
    return Promise.resolve(writes.flatMap(({ id }) => (refused.has(id) ? { id, reason } : [])));
  };
  const fetchStored = (_record: object, asked: string[]) =>
    Promise.resolve(asked.map((_id) => ({ _id, etag: "", revision: 1, gone: true })));
  // The cast: nothing else is used.
  const stores = { elasticsearch: { write }, mongo: { records: { fetchStored } } } as unknown as Stores;
  const projecting = projectDocuments(stores, nextOf(findIndex("companies")), ids);
  await expect(projecting).rejects.toThrow(RefusedDocumentError);
  await expect(projecting).rejects.toThrow(/3: mapper_parsing_exception/);
  expect(written).toHaveLength(ids.length - refused.size);
});
