/** Which versions of the engines doctor accepts. */
import { createRequire } from "node:module";
import { afterEach, expect, it } from "@jest/globals";
import type { CheckContext } from "../../../scripts/doctor/define-check.ts";
import { engineChecks } from "../../../scripts/doctor/engines.ts";
import { answer, closeNodes, open, startNode } from "../../support/fake-nodes.ts";

afterEach(closeNodes);

const { MIN_SUPPORTED_SERVER_VERSION: lowest } = createRequire(import.meta.url)(
  "mongodb/lib/cmap/wire_protocol/constants.js",
) as { MIN_SUPPORTED_SERVER_VERSION: string };

async function verdictOnMongo(version: string): Promise<string | undefined> {
  const fetchServer = () => Promise.resolve({ version, clientVersion: "7.8.0" });
  // The cast: the check reads nothing else.
  const context = { stores: { mongo: { health: { fetchServer } } } } as unknown as CheckContext;
  return (await engineChecks["Connection to MongoDB"]?.(context))?.verdict;
}

it("requires at least the lowest MongoDB that the driver supports", async () => {
  const [major = 0, minor = 0] = lowest.split(".").map(Number);
  expect(minor).toBeGreaterThan(0);
  expect(await verdictOnMongo(`${major}.${minor}.0`)).toBe("ok");
  expect(await verdictOnMongo(`${major}.${minor - 1}.9`)).toBe("fail");
  expect(await verdictOnMongo(`${major + 1}.0.0`)).toBe("ok");
});

it("says which Elasticsearch is needed if an older one cannot read the requests", async () => {
  const reason =
    "Invalid media-type value on headers [Accept]: Accept version must be either version 8 or 7, but found 9.";
  const error = { type: "media_type_header_exception", reason, root_cause: [] };
  const elasticsearch = open(await startNode(answer(400, { error, status: 400 })));
  // The cast: the check reads nothing else.
  const context = { stores: { elasticsearch } } as unknown as CheckContext;
  expect(await engineChecks["Connection to Elasticsearch"]?.(context)).toMatchObject({
    verdict: "fail",
    found: expect.stringMatching(/older than this release needs.*Elasticsearch 9/),
  });
});

it.each([
  ["accepts the clock of a Redis that is merely slow to answer", 5_000, 0, "ok"],
  ["warns of a clock that is ahead by more than the slow answer explains", 5_000, 5_500, "warn"],
])("%s", async (_title, tripMs, aheadMs, verdict) => {
  let now = 1_000_000;
  const redis = {
    health: {
      // The request was slow to arrive; the answer came back at once.
      fetchClock: () => {
        const clock = now + tripMs + aheadMs;
        now += tripMs;
        return Promise.resolve(clock);
      },
    },
    fetchRevision: () => Promise.resolve(0),
  };
  // The cast: the check reads nothing else.
  const context = { stores: { redis }, now: () => now } as unknown as CheckContext;
  expect((await engineChecks["Clock of Redis"]?.(context))?.verdict).toBe(verdict);
});
