/** Fake Elasticsearch nodes that answer as a test wants, and stores that use them. */
import { createServer, type Server, type ServerResponse } from "node:http";
import { expect } from "@jest/globals";
import {
  openElasticsearch,
  type ElasticsearchStore,
} from "../../api/shared/stores/elasticsearch/elasticsearch.ts";
import { addressOf } from "./serve.ts";

const HEADERS = { "x-elastic-product": "Elasticsearch", "content-type": "application/json" };
export const FOUND = { took: 1, hits: { total: { value: 0, relation: "eq" }, hits: [] } };
export const BODY = { query: { match_all: {} } };
// The store avoids a node that failed for a shorter time than this.
export const REST_MS = 11_000;

/** Answers a request. */
export type Reply = (response: ServerResponse) => unknown;
export const answer =
  (status: number, body: object): Reply =>
  (response) =>
    response.writeHead(status, HEADERS).end(JSON.stringify(body));
export const found = answer(200, FOUND);
export const breaks: Reply = (response) => response.socket?.destroy();
export const hangs: Reply = () => undefined;

/** A node, how it replies, and how many requests of each kind it got. */
export interface FakeNode {
  url: string;
  reply: Reply;
  /** POST requests. */
  searches: number;
  /** GET requests. */
  reads: number;
  /** All other requests: HEAD, with which the store asks whether the node is up. */
  pings: number;
  server: Server;
}

const COUNTED: Record<string, "searches" | "reads"> = { POST: "searches", GET: "reads" };

const nodes: FakeNode[] = [];
const stores: ElasticsearchStore[] = [];
/** Closes all nodes, and the stores opened on them. */
export async function closeNodes(): Promise<void> {
  for (const store of stores.splice(0)) await store.close();
  for (const { server } of nodes.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Starts a node on a free port of this machine; by default it finds nothing. */
export async function startNode(reply: Reply = found): Promise<FakeNode> {
  const server = createServer((request, response) => {
    node[COUNTED[request.method ?? ""] ?? "pings"] += 1;
    request.resume().on("end", () => void node.reply(response));
  }).listen(0, "127.0.0.1");
  const node: FakeNode = { url: "", reply, searches: 0, reads: 0, pings: 0, server };
  node.url = await addressOf(server);
  nodes.push(node);
  return node;
}

/** A store that uses these nodes or addresses, and waits five seconds for an answer. */
export function open(...given: (FakeNode | string)[]): ElasticsearchStore {
  return openFor(5_000, ...given);
}

/** The same with another time limit. */
export function openFor(timeoutMs: number, ...given: (FakeNode | string)[]): ElasticsearchStore {
  const url = given.map((node) => (typeof node === "string" ? node : node.url)).join(", ");
  const store = openElasticsearch({ url, prefix: "", timeoutMs });
  stores.push(store);
  return store;
}

/** Searches `count` times, one after the other. */
export async function searchTimes(store: ElasticsearchStore, count: number): Promise<void> {
  for (let done = 0; done < count; done += 1)
    expect(await store.search(["companies"], [BODY])).toMatchObject([{ total: 0 }]);
}
