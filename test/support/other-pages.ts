/** The pages beside the register's own, for a browser: those of OAuth 2.0, and the loads of a worker. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fetchLatestLoads, loadLock } from "../../ingest/history/loads.ts";
import { reportStep } from "../../ingest/history/running.ts";
import { buildLoadsPage } from "../../ingest/metrics/private-pages.tsx";
import { buildBoard } from "../../ingest/queue/board.ts";
import { openQueue } from "../../ingest/queue/queue.ts";
import type { Page } from "./browser.ts";
import { COMPANY, EMAIL, REDIRECT, holdClient, holdPerson } from "./oauth.ts";
import { openRegister, type TestRegister } from "./register.ts";

const BOARD_KEY = "board-key";

export interface OtherPages {
  /** The path that asks a person to sign in, and to grant a scope of searches and one of a company. */
  signIn: string;
  /** Fills in the first form of the page, and sends it. */
  submit: (page: Page, fields: Record<string, string>) => Promise<void>;
  /** Address of the loads, with the key; one load runs. */
  loads: string;
  /** Address of pages that need a key. */
  keyed: string;
  close: () => Promise<void>;
}

/** Opens them over a register with something loaded. */
export async function openOtherPages({ stores, config }: TestRegister): Promise<OtherPages> {
  const scopes = ["search.read", `company/${COMPANY}/company.read`];
  const { id } = await holdClient(stores, {
    name: "Billing",
    scopes: ["search.read", "company/*/company.read"],
  });
  await holdPerson(stores, EMAIL);
  const asked = { response_type: "code", client_id: id, redirect_uri: REDIRECT, scope: scopes.join(" ") };
  const queue = openQueue(stores.redis, config.QUEUE_PREFIX);
  const keyed = await openRegister({ settings: { PAGES: "key" }, withWorker: false });
  const running = await runLoad({ stores });
  const board = buildBoard(queue, BOARD_KEY, async (view) => {
    await running.report();
    return buildLoadsPage(stores, queue, { ...view, now: new Date() });
  });
  const server = createServer((request, response) => void board(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    signIn: `/oauth2/authorise?${new URLSearchParams(asked).toString()}`,
    submit: async (page, fields) => {
      for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
      const form = page.locator("form").first();
      await Promise.all([page.waitForEvent("load"), form.locator("button").first().click()]);
    },
    loads: `http://${BOARD_KEY}:@127.0.0.1:${(server.address() as AddressInfo).port}/loads`,
    keyed: keyed.base,
    close: async () => {
      await keyed.close();
      await running.end();
      server.close();
      await queue.close();
    },
  };
}

/** Makes the last load look as if it ran. What it reports is soon forgotten, so it reports again for each page. */
async function runLoad({ stores }: Pick<TestRegister, "stores">) {
  const [last] = await fetchLatestLoads(stores.mongo.documents, 1);
  const lock = last && (await stores.redis.locks.acquire(loadLock(last._id)));
  if (!lock) throw new Error("there is no load to show");
  const done = { unit: "rows", done: 500, total: 2_000, share: 0.25 };
  const rate = { per_second: 250, seconds_left: 6, still_seconds: 0 };
  const step = { doing: "loading companies.csv", ...done, ...rate };
  return { report: () => reportStep(lock, { step, waits: null }), end: () => lock.release() };
}
