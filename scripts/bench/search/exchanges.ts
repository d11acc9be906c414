/** Records the requests that a search's own code sends to Elasticsearch, and sends the same bytes again. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseQuery } from "../../../api/shared/schemas/query-parameters.ts";
import { openElasticsearch } from "../../../api/shared/stores/elasticsearch/elasticsearch.ts";
import type { Ask, SearchDefinition } from "../../../api/search/define-search.ts";
import { fetchResult, isWorthCaching } from "../../../api/search/phases.ts";
import { askWithSpellings } from "../../../api/search/near-words.ts";
import { openWireClient, type WireAnswer, type WireClient, type WireRequest } from "../http-client.ts";

/** The requests of one search in rounds: those of a round are sent together, the next round when all are answered. */
export type Exchanges = WireRequest[][];

/** Records the requests of searches. */
export interface Recorder {
  /** Runs a search as the API does and returns what it has sent. */
  record: (search: SearchDefinition, query: Record<string, string>) => Promise<Exchanges>;
  close: () => Promise<void>;
}

// These headers belong to one connection; the client that sends again adds its own.
const HOP_HEADERS = ["host", "connection", "keep-alive", "content-length", "transfer-encoding"];

/** Opens a recorder: the API's own client behind a proxy that forwards all requests and keeps a copy. */
export async function openRecorder(options: {
  url: string;
  prefix: string;
  timeoutMs: number;
}): Promise<Recorder> {
  const engine = openWireClient(options.url);
  let rounds: Exchanges = [];
  const server = createServer((request, response) => {
    void passOn(engine, request, response, (exchange) => rounds.at(-1)?.push(exchange));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = openElasticsearch({ ...options, url });
  return {
    record: async (search, query) => {
      rounds = [];
      const values = parseQuery(search.parameters, query);
      const asking = askWithSpellings(store, search.indices, { isCached: isWorthCaching(values) });
      await fetchResult(
        search,
        inRounds(() => rounds.push([]), asking),
        values,
      );
      return rounds;
    },
    close: async () => {
      await store.close();
      engine.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Calls `onRound` when a new round begins: requests belong to the current one until one of its answers has come. */
function inRounds(onRound: () => unknown, ask: Ask): Ask {
  let isAnswered = true;
  return async (...bodies) => {
    if (isAnswered) onRound();
    isAnswered = false;
    const results = await ask(...bodies);
    isAnswered = true;
    return results;
  };
}

async function passOn(
  engine: WireClient,
  request: IncomingMessage,
  response: ServerResponse,
  onExchange: (exchange: WireRequest) => void,
): Promise<void> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "GET", url: path = "/" } = request;
    const headers = withoutHop(request.headers);
    const exchange = { method, path, headers, body: Buffer.concat(chunks) };
    onExchange(exchange);
    const answer = await engine.send(exchange);
    response.writeHead(answer.status, withoutHop(answer.headers)).end(answer.body);
  } catch {
    // Break the connection: the search's own client then reports the error.
    response.destroy();
  }
}

function withoutHop<H extends object>(headers: H): H {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name))) as H;
}

/** Sends the requests of a search again. Returns the total time, and the sum of the times that the engine reports. */
export async function replay(
  engine: WireClient,
  exchanges: Exchanges,
): Promise<{ ms: number; took: number }> {
  const startedAt = performance.now();
  const answers: WireAnswer[][] = [];
  for (const round of exchanges)
    answers.push(await Promise.all(round.map((exchange) => engine.send(exchange))));
  const ms = performance.now() - startedAt;
  // The requests of a round run at the same time, so the longest counts.
  const took = answers.map((round) => Math.max(...round.map(readTook)));
  return { ms, took: took.reduce((sum, value) => sum + value, 0) };
}

function readTook({ status, body }: WireAnswer): number {
  const answer = JSON.parse(body.toString()) as { took?: number };
  if (status === 200 && typeof answer.took === "number") return answer.took;
  throw new Error(`Elasticsearch answered ${status}: ${body.toString().slice(0, 300)}`);
}
