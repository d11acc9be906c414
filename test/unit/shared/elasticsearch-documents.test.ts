import type { Client } from "@elastic/elasticsearch";
import { describe, expect, it } from "@jest/globals";
import { isPassing, NotReadyError } from "../../../api/shared/runtime/errors.ts";
import { fetchDocuments } from "../../../api/shared/stores/elasticsearch/documents.ts";

/** The error of a read if the engine answers with a fault of this type for the document. */
function readWith(type: string): Promise<unknown> {
  const reason = "the engine's own sentence";
  const error = { type, reason, root_cause: [{ type, reason }] };
  const docs = [
    { _index: "companies-v1", _id: "00000001", found: true, _version: 1, _source: {} },
    { _index: "companies-v1", _id: "00000002", error },
  ];
  // The cast: the read uses nothing else of a client.
  const client = { mget: () => Promise.resolve({ docs }) } as unknown as Client;
  return fetchDocuments(client, "companies", ["00000001", "00000002"]).catch((thrown: unknown) => thrown);
}

describe("a document that the engine cannot read", () => {
  it.each(["no_shard_available_action_exception", "node_not_connected_exception"])(
    "is a passing fault while copies of shards are lost: %s",
    async (type) => {
      const fault = await readWith(type);
      expect(isPassing(fault)).toBe(true);
      expect((fault as Error).message).toBe("elasticsearch is not available: the engine's own sentence");
    },
  );

  it("of an index that is missing or closed gives an error that says what to do", async () => {
    const missing = await readWith("index_not_found_exception");
    expect(missing).toBeInstanceOf(NotReadyError);
    expect((missing as Error).message).toMatch(/npm run cli -- prepare/);
    expect(((await readWith("index_closed_exception")) as Error).message).toMatch(/npm run cli -- doctor/);
  });

  it("for another reason is a fault in the code", async () => {
    const fault = await readWith("illegal_argument_exception");
    expect(isPassing(fault)).toBe(false);
    expect((fault as Error).message).toMatch(/the engine's own sentence$/);
  });
});
