/** The store's behaviour if one of several Elasticsearch nodes is lost or comes back. */
import dns from "node:dns";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import {
  answer,
  BODY,
  breaks,
  closeNodes,
  FOUND,
  found,
  hangs,
  open,
  REST_MS,
  searchTimes,
  startNode,
} from "../../support/fake-nodes.ts";
import { waitUntil } from "../../support/wait-until.ts";

type LookupDone = (error: null, addresses: dns.LookupAddress[]) => void;

afterEach(async () => {
  jest.restoreAllMocks();
  await closeNodes();
});

describe("a node that was lost", () => {
  it("makes no search fail, and gets no more searches until it answers again", async () => {
    const [lost, ...others] = [await startNode(breaks), await startNode(), await startNode()];
    const store = open(lost, ...others);
    await searchTimes(store, 60);
    expect(lost.searches).toBe(1);
    const now = Date.now();
    jest.spyOn(Date, "now").mockImplementation(() => now + REST_MS);
    await searchTimes(store, 10);
    expect(lost.searches).toBe(1);
    lost.reply = found;
    jest.spyOn(Date, "now").mockImplementation(() => now + 2 * REST_MS);
    await waitUntil(async () => {
      await searchTimes(store, 3);
      return lost.searches > 1;
    }, "the node gets searches again");
  });

  it("stays in use if it is the only address", async () => {
    const only = await startNode(breaks);
    const store = open(only);
    await expect(store.search(["companies"], [BODY])).rejects.toBeInstanceOf(UnavailableError);
    only.reply = found;
    await searchTimes(store, 3);
  });
});

describe("a cluster", () => {
  it("is available as long as one of its nodes answers", async () => {
    const gone = await startNode(breaks);
    const store = open(gone, await startNode(hangs), await startNode());
    for (let done = 0; done < 6; done += 1) await store.ping(2_000);
  });

  it("is unavailable if none answers", async () => {
    const store = open(await startNode(breaks), await startNode(hangs));
    await expect(store.ping(200)).rejects.toThrow(UnavailableError);
    const gone = open(await startNode(breaks), await startNode(breaks));
    await expect(gone.ping(200)).rejects.toThrow(UnavailableError);
  });
});

describe("a shard copy that was lost during a request", () => {
  const fault = (type: string) => ({
    error: {
      type: "search_phase_execution_exception",
      reason: "Partial shards failure",
      root_cause: [{ type }],
    },
  });

  it.each([
    ["one search", 404, 1, fault("search_context_missing_exception")],
    [
      "one of several searches",
      200,
      2,
      { responses: [FOUND, { ...fault("node_disconnected_exception"), status: 502 }] },
    ],
  ])("makes the store send %s again", async (_name, status, count, body) => {
    const node = await startNode();
    node.reply = (response) => {
      node.reply = answer(200, count > 1 ? { responses: [FOUND, FOUND] } : FOUND);
      return answer(status, body)(response);
    };
    const results = await open(node).search(
      ["companies"],
      Array.from({ length: count }, () => BODY),
    );
    expect(results.map(({ total }) => total)).toEqual(Array.from({ length: count }, () => 0));
    expect(node.searches).toBe(2);
  });

  it("causes a passing fault if the second try fails as well", async () => {
    const node = await startNode(answer(404, fault("search_context_missing_exception")));
    await expect(open(node).search(["companies"], [BODY])).rejects.toBeInstanceOf(UnavailableError);
    expect(node.searches).toBe(2);
  });
});

it("a merge counts as ended once its node is gone", async () => {
  const reason = "task [old:1] belongs to the node [old] which isn't part of the cluster";
  const gone = answer(404, { error: { type: "resource_not_found_exception", reason }, status: 404 });
  expect(await open(await startNode(gone)).builds.isMerged("old:1")).toBe(true);
  expect(await open(await startNode(answer(200, { completed: false }))).builds.isMerged("new:1")).toBe(false);
});

describe("an address with a password", () => {
  it("is in no error, although the client's own messages have the address", async () => {
    // The client names the address if Node gives no reason, as for a host with two addresses that both refuse.
    jest.spyOn(dns, "lookup").mockImplementation(((_host: string, _how: unknown, done: LookupDone) =>
      done(null, [
        { address: "127.0.0.1", family: 4 },
        { address: "127.0.0.2", family: 4 },
      ])) as unknown as typeof dns.lookup);
    const store = open("http://elastic:s3cret@search.example:1");
    for (const ask of [() => store.ping(), () => store.search(["companies"], [BODY])]) {
      const error = await ask().then(String, String);
      expect(error).toContain("connection failed (http://search.example:1/)");
      expect(error).not.toContain("s3cret");
    }
  });

  it("is used to log in", async () => {
    const node = await startNode((response) => {
      const { authorization } = response.req.headers;
      (authorization === `Basic ${btoa("elastic:s3cret")}` ? found : answer(401, {}))(response);
    });
    const store = open(node.url.replace("//", "//elastic:s3cret@"));
    await searchTimes(store, 2);
    await store.ping();
  });
});
