/** The store's behaviour if one of several Elasticsearch nodes hangs or is slow. */
import dns from "node:dns";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { withBudget } from "../../../api/shared/runtime/deadlines.ts";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import type { ElasticsearchStore } from "../../../api/shared/stores/elasticsearch/elasticsearch.ts";
import {
  BODY,
  breaks,
  closeNodes,
  found,
  hangs,
  open,
  openFor,
  REST_MS,
  searchTimes,
  startNode,
} from "../../support/fake-nodes.ts";
import { waitUntil } from "../../support/wait-until.ts";

afterEach(async () => {
  jest.restoreAllMocks();
  await closeNodes();
});

describe("a node that hangs", () => {
  /** How long each of several requests took, one after the other. */
  async function timesOf(ask: () => Promise<unknown>, count = 6): Promise<number[]> {
    const times: number[] = [];
    while (times.length < count) {
      const begunAt = performance.now();
      await ask();
      times.push(performance.now() - begunAt);
    }
    return times;
  }
  const search = (store: ElasticsearchStore) => searchTimes(store, 1);

  it.each<[string, "searches" | "reads", (store: ElasticsearchStore) => Promise<unknown>]>([
    ["a search without a time limit", "searches", search],
    [
      "a search with a time limit",
      "searches",
      (store) => withBudget(3_000, (budget) => store.search(["companies"], [BODY], { budget })),
    ],
    ["another request", "reads", (store) => store.fetchAliasedIndices(["companies"])],
  ])("delays %s by about a second, and only once", async (_name, counted, ask) => {
    const hanging = await startNode(hangs);
    const store = open(hanging, await startNode(), await startNode());
    const times = await timesOf(() => ask(store));
    // Well below the time limit for an answer.
    expect(Math.max(...times)).toBeLessThan(2_500);
    expect(hanging[counted]).toBe(1);
  });

  it("delays a search no longer if another node is gone", async () => {
    const store = open(await startNode(breaks), await startNode(hangs), await startNode());
    expect(Math.max(...(await timesOf(() => search(store))))).toBeLessThan(2_500);
  });

  it("is pinged only once at a time to find out whether it is back", async () => {
    const hanging = await startNode(hangs);
    const store = open(hanging, await startNode(), await startNode());
    await searchTimes(store, 6);
    const { pings } = hanging;
    const now = Date.now();
    jest.spyOn(Date, "now").mockImplementation(() => now + REST_MS);
    await searchTimes(store, 10);
    await waitUntil(() => hanging.pings > pings, "the node is pinged");
    expect(hanging.pings).toBe(pings + 1);
  });

  it("is pinged once for all requests that wait for it", async () => {
    const hanging = await startNode(hangs);
    const store = open(hanging, await startNode());
    await Promise.all(Array.from({ length: 12 }, () => search(store)));
    expect(hanging.searches).toBe(6);
    expect(hanging.pings).toBe(1);
  });

  it("gets its share of the searches if it is only slow", async () => {
    const slow = await startNode((response) =>
      response.req.method === "HEAD" ? found(response) : setTimeout(() => found(response), 900),
    );
    const store = open(slow, await startNode());
    await searchTimes(store, 6);
    expect(slow.searches).toBe(3);
  });

  it("is waited for if the other nodes are gone", async () => {
    const late = await startNode((response) =>
      response.req.method === "HEAD" ? undefined : setTimeout(() => found(response), 1_000),
    );
    await searchTimes(open(await startNode(breaks), late), 2);
    expect(late.searches).toBe(2);
  });

  it("gets no searches for a while after one that took too long", async () => {
    const stuck = await startNode((response) => response.req.method === "HEAD" && found(response));
    const store = openFor(1_500, stuck, await startNode());
    await expect(searchTimes(store, 1)).rejects.toThrow(UnavailableError);
    await searchTimes(store, 4);
    expect(stuck.searches).toBe(1);
  });

  it("does not hold up a search whose time is over, even while it is connecting", async () => {
    const store = open("http://silent.example:1", await startNode());
    // The DNS lookup of its address never ends.
    jest.spyOn(dns, "lookup").mockImplementation(() => undefined);
    const [time] = await timesOf(
      () => withBudget(200, (budget) => store.search(["companies"], [BODY], { budget })).catch(() => null),
      1,
    );
    expect(time).toBeLessThan(2_000);
  });
});
