/** Which origins pages may call from, when the store is slow. */
import { expect, it } from "@jest/globals";
import Koa from "koa";
import { setTimeout as sleep } from "node:timers/promises";
import type { AddressInfo } from "node:net";
import { allowOrigins } from "../../../api/http/cors.ts";
import { openBase } from "../../../api/http/request-context.ts";
import type { DocumentStore } from "../../../api/shared/stores/mongodb/mongo.ts";

// Longer than a page waits for it.
const SLOW_MS = 1_500;

/** A server whose store knows the origins in `state` and answers late; returns a check whether a page may call. */
async function openServer(state: { origins: string[]; slowMs: number; moment: number }) {
  const fetchAll = async () => {
    await sleep(state.slowMs);
    return [{ _id: "app", origins: state.origins }];
  };
  const app = new Koa();
  app.use(allowOrigins({ fetchAll } as unknown as DocumentStore, () => state.moment, openBase("")));
  app.use((ctx) => void (ctx.body = "ok"));
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    allowed: async (origin: string) => {
      const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
        headers: { origin },
      });
      return answer.headers.get("access-control-allow-origin") === origin;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

it("a change of origins takes effect although no page waits until the store has answered", async () => {
  const state = { origins: ["https://former.example"], slowMs: 0, moment: 0 };
  const { allowed, close } = await openServer(state);
  try {
    expect(await allowed("https://former.example")).toBe(true);
    Object.assign(state, { origins: ["https://new.example"], slowMs: SLOW_MS, moment: 6_000 });
    expect(await allowed("https://former.example")).toBe(true);
    await sleep(SLOW_MS);
    expect([await allowed("https://former.example"), await allowed("https://new.example")]).toEqual([
      false,
      true,
    ]);
  } finally {
    close();
  }
});

it("a change of origins takes effect if the clock was set back", async () => {
  const state = { origins: ["https://former.example"], slowMs: 0, moment: 3_600_000 };
  const { allowed, close } = await openServer(state);
  try {
    expect(await allowed("https://former.example")).toBe(true);
    Object.assign(state, { origins: [], moment: 0 });
    expect(await allowed("https://former.example")).toBe(false);
  } finally {
    close();
  }
});
