/** A very simple load balancer: it checks whether each API is ready, and sends requests to the ready ones in turn. */
import { Agent, createServer, request as begin, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const CHECK_EVERY_MS = 500;
const CHECK_WITHIN_MS = 2_000;
// After so many failed checks in a row, a process gets no requests until a check succeeds.
const MOST_FAILED = 3;

/** Response header that says the connection broke after a process had got the request. */
export const CUT_HEADER = "x-cut";

/** A running proxy. */
export interface Proxy {
  address: string;
  /** True while the process at this port gets requests. */
  isUsed: (port: number) => boolean;
  close: () => Promise<void>;
}

interface Backend {
  port: number;
  /** Checks that have failed since the last one that succeeded. */
  failed: number;
}

const isReady = ({ failed }: Backend) => failed < MOST_FAILED;

/** Opens a proxy in front of the processes at these ports; all count as ready until they are checked. */
export async function openProxy(ports: readonly number[]): Promise<Proxy> {
  const backends = ports.map((port): Backend => ({ port, failed: 0 }));
  // A new connection for each request, so that a broken connection means the process died during the request.
  const agent = new Agent({ keepAlive: false });
  let turn = 0;
  const server = createServer((request, response) => {
    turn += 1;
    const inTurn = backends.map((_backend, at) => backends[(turn + at) % backends.length]!); // the remainder is a place in the list
    pass(inTurn.filter(isReady), { request, response, agent });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  let isOver = false;
  const checking = backends.map(async (backend) => {
    for (; !isOver; await sleep(CHECK_EVERY_MS))
      backend.failed = (await answersReady(backend.port)) ? 0 : backend.failed + 1;
  });
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isUsed: (port) => backends.some((backend) => backend.port === port && isReady(backend)),
    close: async () => {
      isOver = true;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(checking);
    },
  };
}

async function answersReady(port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(CHECK_WITHIN_MS);
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

interface Passed {
  request: IncomingMessage;
  response: ServerResponse;
  agent: Agent;
}

/** Sends a request to the first process that accepts the connection. */
function pass([backend, ...others]: readonly Backend[], passed: Passed): void {
  const { request, response, agent } = passed;
  if (!backend) return void response.writeHead(503).end("no process is ready");
  const { method, url: path, headers } = request;
  const sent = begin({ host: "127.0.0.1", port: backend.port, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on("error", () => response.destroy()).pipe(response);
  });
  sent.on("error", (error: NodeJS.ErrnoException) => {
    backend.failed = MOST_FAILED;
    if (response.headersSent) response.destroy();
    else if (error.code === "ECONNREFUSED") pass(others, passed);
    else response.writeHead(502, { [CUT_HEADER]: error.code ?? error.message }).end();
  });
  sent.end();
}
