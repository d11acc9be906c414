import { expect, it } from "@jest/globals";
import { joinAsks } from "../../../api/matching/matcher.ts";
import type { Ask } from "../../../api/search/define-search.ts";
import type { SearchBody } from "../../../api/shared/definitions/search-result.ts";

/** Requests of at most so many searches; a search of size 13 fails. The total of a result is the size of its search. */
function openAsk(mostBodies: number) {
  const requests: SearchBody[][] = [];
  const ask: Ask = (...bodies) => {
    requests.push(bodies);
    if (bodies.some(({ size }) => size === 13)) return Promise.reject(new Error("refused"));
    return Promise.resolve(bodies.map(({ size }) => ({ total: Number(size), hits: [] })));
  };
  return { requests, ask: joinAsks(ask, mostBodies) };
}

it("searches of the same moment are sent in one request, and each caller gets its own results", async () => {
  const { ask, requests } = openAsk(10);
  const askTwice = async (size: number) => {
    const [first] = await ask({ size });
    const [second] = await ask({ size: size + 10 });
    return [first?.total, second?.total];
  };
  expect(await Promise.all([askTwice(1), askTwice(2)])).toEqual([
    [1, 11],
    [2, 12],
  ]);
  expect(requests.map((bodies) => bodies.length)).toEqual([2, 2]);
});

it("a request has no more searches than allowed", async () => {
  const { ask, requests } = openAsk(2);
  const sendAll = (sizes: number[]) => Promise.all(sizes.map((size) => ask({ size })));
  expect((await sendAll([1, 2, 3])).flat().map(({ total }) => total)).toEqual([1, 2, 3]);
  await sendAll([4, 5, 6, 7]);
  expect(requests.map((bodies) => bodies.length)).toEqual([2, 1, 2, 2]);
});

it("an error reaches only the callers of the failed request", async () => {
  const { ask } = openAsk(1);
  const results = await Promise.allSettled([ask({ size: 13 }), ask({ size: 2 })]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});
