/** Change log positions in Redis differ from MongoDB's: behind after Redis lost writes, ahead after a restore. */
import { beforeEach, expect, it } from "@jest/globals";
import { fetchLinksFollower, fetchLive } from "../../api/shared/stores/collections/positions.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { amendChange, enterChange } from "../../ingest/log/changes.ts";
import { LiveFollower, openLive } from "../../ingest/log/log-follower.ts";
import { followNow } from "../support/follow.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { waitUntil } from "../support/wait-until.ts";

const newRegister = registersPerTest();
let register: TestRegister;
let stores: Stores;
let documents: Stores["mongo"]["documents"];
beforeEach(async () => {
  register = await newRegister({}, false);
  ({ stores } = register);
  ({ documents } = stores.mongo);
});

async function writeChange(): Promise<number> {
  const change = await enterChange(stores, { load: "a-load", job: "a-job", ids: {} });
  await amendChange(documents, change, { state: "written" });
  return Number(change._id);
}

const setPosition = (number: number) =>
  stores.redis.connection.set(`${register.config.QUEUE_PREFIX}:position`, number);
const fetchPositions = async () => [
  Number((await fetchLive(documents)).position),
  Number((await fetchLinksFollower(documents)).position),
];

it.each([0, 2])(
  "a worker follows changes when Redis has lost their positions and those of %i followed ones",
  async (earlier) => {
    for (let at = 0; at < 5; at += 1) await writeChange();
    await followNow(stores);
    const [before = 0] = await fetchPositions();
    for (let at = 0; at < 3; at += 1) await writeChange();
    await setPosition(before - earlier);
    const logged: unknown[] = [];
    const log = (facts: object) => logged.push(facts);
    const follower = new LiveFollower(stores, { warn: log, error: log });
    const isFollowed = async () => (await fetchPositions()).every((position) => position === before + 3);
    await waitUntil(isFollowed, "every change is followed").finally(() => follower.stop());
    expect(logged).toEqual([]);
  },
);

it("a worker skips millions of positions that a restored MongoDB does not know", async () => {
  await setPosition(5_000_000);
  const written = await writeChange();
  const following = openLive(stores, { gapMs: 0, writingMs: 0 });
  const isFollowed = async () => Number(await following.run()) === written;
  await waitUntil(isFollowed, "the change is followed");
  expect(written).toBe(5_000_001);
  const closed = await documents.list("changes", { state: "closed" }, 20_000);
  expect(closed.length).toBeLessThanOrEqual(10_000);
});
