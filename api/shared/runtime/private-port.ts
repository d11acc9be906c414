/** Serves a few pages for operators on a port of their own: health and metrics. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CommandError, messageOf } from "./errors.ts";
import type { Logger } from "./logger.ts";

interface Page {
  status?: number;
  type: string;
  body: string;
}

/** Pages by their path. */
export type PrivatePages = Record<string, () => Page | Promise<Page>>;

export type PrivatePort = Awaited<ReturnType<typeof openPrivatePort>>;

/** Opens the port. `setting`: its setting's name, for messages. Throws CommandError when it cannot listen there. */
export async function openPrivatePort(
  { host, port, setting }: { host: string; port: number; setting: string },
  pages: PrivatePages,
  log: Logger,
) {
  const server = createServer((request, response) => {
    answer(pages, request, response).catch((error: unknown) => {
      log.error({ err: error, path: request.url }, "private page failed");
      send(response, text(500, "This page failed; the log says why.\n"));
    });
  });
  await once(server.listen(port, host), "listening").catch((error: unknown) => {
    throw new CommandError(
      `${setting}: cannot listen on ${host}:${port} (${messageOf(error)}); set PRIVATE_HOST to an address of this machine, and ${setting} to a free port, or to 0 for none`,
    );
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function jsonPage(body: object, status = 200): Page {
  return { status, type: "application/json", body: JSON.stringify(body) };
}

function text(status: number, body: string): Page {
  return { status, type: "text/plain; charset=utf-8", body };
}

async function answer(
  pages: PrivatePages,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = "/"] = (request.url ?? "/").split("?");
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  const known = Object.keys(pages).join(", ");
  if (!page) return send(response, text(404, `There is no such page. The pages are: ${known}\n`));
  if (request.method !== "GET" && request.method !== "HEAD")
    return send(response, text(405, "This page takes GET only.\n"));
  send(response, await page());
}

function send(response: ServerResponse, { status = 200, type, body }: Page): void {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  // Node leaves the body out of an answer to HEAD.
  response.end(body);
}
