/** Owns the queue's board (bull-board) on the worker's private port: read-only, and shown to who has its key alone. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { KoaAdapter } from "@bull-board/koa";
import Koa from "koa";
import { LateError, within } from "../../api/core/within.ts";
import type { QueueView } from "./queue-view.ts";

/** Where the board is. */
export const BOARD_PATH = "/queues";

// The page asks again every few seconds.
const ANSWER_MS = 3_000;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

// The page's own template names a font of another address: it is shown without. Its loading sign has a style of its own.
const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'self'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Builds the board. `key`: what a caller sends as the user name of HTTP Basic, as with the API's keys; empty turns the
 * board off. Batches hold rows of the register, names and addresses among them: without the key nothing is shown.
 *
 * Nothing can be changed. To have a failed batch tried again from here would do it behind the back of its load, which
 * has ended and keeps no count of it: `load --resume` is the way.
 */
export function buildBoard(queue: Pick<QueueView, "queue">, key: string): Handle {
  if (key === "")
    return (_request, response) =>
      refuse(
        response,
        404,
        "The board is off. Set BOARD_KEY to a secret of your own, and start the worker again.",
      );
  const show = buildPages(queue);
  const expected = digest(key);
  const colons = key.split(":").length - 1;
  return (request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    if (!timingSafeEqual(digest(userOf(request, colons)), expected)) {
      response.setHeader("WWW-Authenticate", 'Basic realm="Company Register queues", charset="UTF-8"');
      return refuse(
        response,
        401,
        "The user name must be the key that BOARD_KEY holds; the password is empty.",
      );
    }
    if (request.method !== "GET" && request.method !== "HEAD")
      return refuse(
        response,
        405,
        "The board changes nothing; load --resume goes on with a load that has failed.",
      );
    show(request, response);
  };
}

function buildPages({ queue }: Pick<QueueView, "queue">): Handle {
  const adapter = new KoaAdapter().setBasePath(BOARD_PATH);
  createBullBoard({
    queues: [new BullMQAdapter(queue, { readOnlyMode: true })],
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: "Company Register" } },
  });
  const app = new Koa();
  app.use(async (ctx, next) => {
    // BullMQ waits for a Redis that is away until it is back.
    try {
      await within(ANSWER_MS, next());
      return;
    } catch (error) {
      if (!(error instanceof LateError)) throw error;
    }
    ctx.status = 503;
    ctx.body = `Redis has not answered for ${ANSWER_MS / 1_000} s. Is it running, and is REDIS_URL right? npm run cli -- doctor tells more.\n`;
  });
  app.use(adapter.registerPlugin());
  // Faults are answered by the board itself.
  app.silent = true;
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}

/** Equal in length, so that comparing takes the same time for every key. */
function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** The user name, which has so many colons; the next one ends it. */
function userOf({ headers: { authorization = "" } }: IncomingMessage, colons: number): string {
  const [, encoded = ""] = /^basic +(\S+)$/i.exec(authorization) ?? [];
  const parts = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return parts.slice(0, colons + 1).join(":");
}

function refuse(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" });
  response.end(`${sentence}\n`);
}
