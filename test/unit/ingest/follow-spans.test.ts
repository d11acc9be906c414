import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { BEGINNING, toPosition } from "../../../api/shared/stores/collections/positions.ts";
import type { Stores } from "../../../api/shared/stores/index.ts";
import { inSpan } from "../../../api/shared/tracing/tracing.ts";
import { LogFollower } from "../../../ingest/log/log-follower.ts";
import { keepSpans } from "../../support/spans.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const OTHER = "1bf7651916cd43dd8448eb211c80319c";
const BATCH = "b7ad6b7169203331";

let kept: ReturnType<typeof keepSpans>;
beforeEach(() => {
  kept = keepSpans();
});
afterEach(() => kept.end());

/** Follows one change for each of these traces, or without a trace. Handling them makes the span `project`. */
async function follow(...traces: (string | undefined)[]): Promise<void> {
  const changes = traces.map((trace, at) => ({
    ...{ _id: toPosition(at + 1), load: "load", job: `job-${at}`, state: "written" },
    ...(trace !== undefined && { traceparent: `00-${trace}-${BATCH}-01` }),
  }));
  let position = BEGINNING;
  const stores = {
    mongo: {
      documents: {
        fetchAll: () => Promise.resolve(changes.filter(({ _id }) => _id > position)),
        amendIf: (_collection: string, _condition: object, to: { position: string }) => {
          position = to.position;
          return Promise.resolve(true);
        },
        listBetween: () => Promise.resolve([]),
      },
    },
    redis: { fetchPosition: () => Promise.resolve(traces.length) },
  } as unknown as Stores;
  const take = () => inSpan({ name: "project" }, () => Promise.resolve());
  const following = new LogFollower(stores, () => Promise.resolve({ _id: "live", position }), take);
  expect(await following.run()).toBe(toPosition(traces.length));
}

it("following the changes of a load continues its trace", async () => {
  await follow(TRACE, undefined, TRACE);
  const [projected, followed] = kept.list();
  expect(followed).toMatchObject({
    ...{ name: "follow changes", traceId: TRACE, parent: BATCH, links: [] },
    attributes: { "company_register.follower": "live", "company_register.changes": 3 },
  });
  expect(projected).toMatchObject({ traceId: TRACE, parent: followed?.id });
});

it("following the changes of several loads is a trace that links to theirs", async () => {
  await follow(TRACE, OTHER);
  expect(kept.list().at(-1)).toMatchObject({ parent: undefined, links: [TRACE, OTHER] });
});

it("changes without a trace are followed in a new trace, and no trace begins without changes", async () => {
  await follow(undefined);
  expect(kept.list().map(({ name, links }) => [name, links])).toEqual([
    ["project", []],
    ["follow changes", []],
  ]);
});
