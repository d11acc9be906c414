/** Many requests of one web server at once use only part of the connections for lookups, and leave others the rest. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { CONNECTIONS } from "../../api/shared/stores/mongodb/client.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { openFlow, type Flow } from "../support/oauth-flow.ts";
import { startProcess, type Process } from "../support/oauth.ts";

let flow: Flow;
let crowded: Process;
let underWay = 0;
let most = 0;

/** Stores that count how many lookups of a person run at once; each lasts long enough to overlap the others. */
function withCountedPeople(stores: Stores): Stores {
  const { documents } = stores.mongo;
  const fetch: typeof documents.fetch = async (...asked) => {
    if (asked[0] !== "people") return documents.fetch(...asked);
    underWay += 1;
    most = Math.max(most, underWay);
    await sleep(100);
    underWay -= 1;
    return documents.fetch(...asked);
  };
  return { ...stores, mongo: { ...stores.mongo, documents: { ...documents, fetch } } };
}

beforeAll(async () => {
  flow = await openFlow();
  crowded = await startProcess(flow.config, { PUBLIC_URL: flow.first.base }, { alter: withCountedPeople });
});
afterAll(async () => {
  await crowded.close();
  await flow.close();
});

it.each(["/oauth/token", "/oauth2/token", "/user/profile"])(
  "%s leaves at least half of the connections to others",
  async (path) => {
    most = 0;
    const { access_token, refresh_token = "" } = await flow.getTokens(await flow.discover());
    const given = { grant_type: "refresh_token", refresh_token, ...flow.credentials() };
    const ask = () =>
      path.endsWith("token")
        ? flow.ask(given, path, crowded.base)
        : flow.call(path, access_token, crowded.base);
    const answers = await Promise.all(Array.from({ length: 2 * CONNECTIONS }, ask));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(most).toBeLessThanOrEqual(CONNECTIONS / 2);
  },
);
