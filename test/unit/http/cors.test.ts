/** How soon a change of the registered origins takes effect, and what counts as a preflight. */
import { expect, it } from "@jest/globals";
import Koa from "koa";
import { setTimeout as sleep } from "node:timers/promises";
import { allowOrigins } from "../../../api/http/cors.ts";
import { openBase } from "../../../api/http/request-context.ts";
import type { DocumentStore } from "../../../api/shared/stores/mongodb/mongo.ts";
import { listen } from "../../support/serve.ts";

// Longer than a request waits for the origins.
const SLOW_MS = 1_500;

/** A server whose store knows the origins in `state` and answers late; returns a check whether a page may call, and how to call. */
async function openServer(state: { origins: string[]; slowMs: number; moment: number }) {
  const fetchAll = async () => {
    await sleep(state.slowMs);
    return [{ _id: "app", origins: state.origins }];
  };
  const app = new Koa();
  app.silent = true;
  app.use(allowOrigins({ fetchAll } as unknown as DocumentStore, () => state.moment, openBase("")));
  app.use((ctx) => void (ctx.body = "ok"));
  const { base, close } = await listen(app);
  const ask = (init: RequestInit) => fetch(base, init);
  const isAllowed = async (origin: string) => {
    const answer = await ask({ headers: { origin } });
    return answer.headers.get("access-control-allow-origin") === origin;
  };
  return { ask, isAllowed, close };
}

it("a change of origins takes effect after a slow store has answered, although no request waits for that", async () => {
  const state = { origins: ["https://former.example"], slowMs: 0, moment: 0 };
  const { isAllowed, close } = await openServer(state);
  try {
    expect(await isAllowed("https://former.example")).toBe(true);
    Object.assign(state, { origins: ["https://new.example"], slowMs: SLOW_MS, moment: 6_000 });
    expect(await isAllowed("https://former.example")).toBe(true);
    await sleep(SLOW_MS);
    expect([await isAllowed("https://former.example"), await isAllowed("https://new.example")]).toEqual([
      false,
      true,
    ]);
  } finally {
    await close();
  }
});

it("a change of origins takes effect if the clock was set back", async () => {
  const state = { origins: ["https://former.example"], slowMs: 0, moment: 3_600_000 };
  const { isAllowed, close } = await openServer(state);
  try {
    expect(await isAllowed("https://former.example")).toBe(true);
    Object.assign(state, { origins: [], moment: 0 });
    expect(await isAllowed("https://former.example")).toBe(false);
  } finally {
    await close();
  }
});

it("refuses the preflight of an unknown page, and no other OPTIONS request", async () => {
  const { ask, close } = await openServer({ origins: [], slowMs: 0, moment: 0 });
  try {
    const origin = "https://unknown.example";
    const asked = { "access-control-request-method": "GET" };
    const statuses = [];
    for (const headers of [{ origin, ...asked }, { origin }, asked])
      statuses.push((await ask({ method: "OPTIONS", headers })).status);
    expect(statuses).toEqual([403, 200, 200]);
  } finally {
    await close();
  }
});
