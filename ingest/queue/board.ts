/** The pages for people on the worker's private port: the queue's board (bull-board) and the loads. Read-only, with a key. */
import { timingSafeEqual } from "node:crypto";
import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { KoaAdapter } from "@bull-board/koa";
import Koa, { type Context } from "koa";
import { hashSecret } from "../../api/shared/access/secrets.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { contentPolicy, FOR_EVER, sharedFiles } from "../../api/shared/html/files.ts";
import { LateError, within } from "../../api/shared/runtime/deadlines.ts";
import type { BatchQueue } from "./queue.ts";

export const BOARD_PATH = "/queues";
export const LOADS_PATH = "/loads";

// BullMQ itself waits for Redis without limit; the page asks again every few seconds.
const ANSWER_MS = 3_000;

/** After so many seconds the page of the loads is shown again. */
export const REFRESH_SECONDS = 5;

// Blocks a font that the board loads from another host; its spinner needs inline styles.
const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy":
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'self'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

const REFUSALS = {
  401: "The user name must be the value of BOARD_KEY; the password is empty.",
  404: "This page is off. Set BOARD_KEY to a secret, and restart the worker.",
  405: "These pages are read-only; load --resume continues a failed load.",
  503: `A store has not answered within ${ANSWER_MS / 1_000} s. Are Redis (REDIS_URL) and MongoDB (MONGODB_URL) running? npm run cli -- doctor shows more.`,
};

/** Makes the page of the loads; `refreshes`: the browser reloads it every few seconds. */
export type ShowLoads = (view: { refreshes: boolean }) => Promise<string>;

/**
 * `key`: the user name of HTTP Basic; if empty, the pages are off, since batches hold names and addresses. The
 * board is read-only, since the load of a failed batch has ended and would not count a retry.
 */
export function buildBoard(queue: BatchQueue, key: string, showLoads: ShowLoads) {
  const adapter = new KoaAdapter().setBasePath(BOARD_PATH);
  createBullBoard({
    queues: [new BullMQAdapter(queue, { readOnlyMode: true })],
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: "Company Register" } },
  });
  const app = new Koa();
  app.use(async (ctx, next) => {
    ctx.set(HEADERS);
    const status = refusalOf(ctx, key) ?? (await within(ANSWER_MS, next()).then(() => null, toRefusal));
    if (status === 401) ctx.set("WWW-Authenticate", 'Basic realm="Company Register queues", charset="UTF-8"');
    if (status) Object.assign(ctx, { status, body: `${REFUSALS[status]}\n` });
  });
  app.use((ctx, next) => answerLoads(ctx, showLoads) ?? next());
  app.use(adapter.registerPlugin());
  // The board answers its own errors.
  app.silent = true;
  return app.callback();
}

/** Answers the page of the loads, and the files that it loads; undefined at other addresses. */
function answerLoads(ctx: Context, showLoads: ShowLoads): Promise<void> | undefined {
  const file = Object.values(sharedFiles()).find(({ name }) => ctx.path === `${LOADS_PATH}/${name}`);
  if (file) {
    ctx.set("Cache-Control", FOR_EVER);
    Object.assign(ctx, { type: file.type, body: file.text });
    return Promise.resolve();
  }
  if (ctx.path !== LOADS_PATH) return undefined;
  const refreshes = ctx.query.refresh !== "off";
  ctx.set("Content-Security-Policy", contentPolicy("form-action 'none'", "frame-ancestors 'none'"));
  if (refreshes) ctx.set("Refresh", String(REFRESH_SECONDS));
  return showLoads({ refreshes }).then((body) => void Object.assign(ctx, { type: "html", body }));
}

function refusalOf(ctx: Context, key: string): 401 | 404 | 405 | null {
  if (key === "") return 404;
  const [, encoded = ""] = /^basic +(\S+)$/i.exec(ctx.get("Authorization")) ?? [];
  const given = Buffer.from(encoded, "base64").toString("utf8");
  // Hashes have equal lengths, so the comparison takes constant time.
  const hash = (text: string) => Buffer.from(hashSecret(text));
  // The user name ends at a colon, but the key may contain colons too.
  if (!timingSafeEqual(hash(given.slice(0, key.length + 1)), hash(`${key}:`))) return 401;
  return ["GET", "HEAD"].includes(ctx.method) ? null : 405;
}

function toRefusal(error: unknown): 503 {
  if (error instanceof LateError || error instanceof UnavailableError) return 503;
  throw error;
}
