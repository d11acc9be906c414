/** How many lookups run at once, and for how long each keeps its place. */
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { type AnswerDependencies, fetchResource } from "../../../api/http/answers.ts";
import { Admission } from "../../../api/http/limits/admission.ts";
import type { ResourceDefinition } from "../../../api/resources/define-resource.ts";
import { resources } from "../../../api/resources/index.ts";
import {
  type Budget,
  ClientDisconnectedError,
  LateError,
  openBudget,
} from "../../../api/shared/runtime/deadlines.ts";
import { BusyError, UnavailableError } from "../../../api/shared/runtime/errors.ts";
import { openRoutes } from "../../support/http.ts";

// The cast: there is exactly one of this name.
const [insolvency] = resources.filter(({ name }) => name === "insolvency") as [ResourceDefinition];

/** A process with a store that answers when the test calls `answerAll`; `asked` has a function for each read. */
function aStore() {
  const asked: (() => void)[] = [];
  const records = {
    fetchLoadedSources: () => Promise.resolve([]),
    fetchOne: () => new Promise<null>((resolve) => asked.push(() => resolve(null))),
  };
  const lookupsUnderWay = new Admission({ what: "lookups", atOnce: 4, waiting: 4, retryAfterSeconds: 1 });
  // The cast: a lookup of a missing insolvency uses nothing else.
  const dependencies = { stores: { mongo: { records } }, lookupsUnderWay } as unknown as AnswerDependencies;
  const lookUp = (caller: string, budget?: Budget) => {
    return fetchResource(
      insolvency,
      { path: { company_number: "99000064" }, query: {}, caller, budget },
      dependencies,
    );
  };
  const answerAll = async () => {
    for (; asked.length > 0; await turn()) asked.shift()?.();
  };
  return { asked, lookUp, lookupsUnderWay, answerAll };
}

describe("lookups", () => {
  it("of one caller take half of the places and of the queue; one more is refused, and another caller's runs", async () => {
    const { asked, lookUp, answerAll } = aStore();
    const lookups = [1, 2, 3, 4].map(() => lookUp("one"));
    await expect(lookUp("one")).rejects.toThrow(
      new BusyError("this application has too many lookups running", 1),
    );
    expect(asked.length).toBe(2);
    lookups.push(lookUp("another"));
    await turn();
    expect(asked.length).toBe(3);
    await answerAll();
    expect((await Promise.all(lookups)).map(({ read }) => read)).toEqual(Array(5).fill(null));
  });

  it("count separately for each caller", async () => {
    const lookupsUnderWay = new Admission({ what: "lookups", atOnce: 2, waiting: 0, retryAfterSeconds: 1 });
    const { request, close } = await openRoutes({ resources: [insolvency], lookupsUnderWay });
    await lookupsUnderWay.enter("one");
    const statusOf = async (caller: string) =>
      (await request("/company/99000064/insolvency", { headers: { "X-Caller": caller } })).status;
    const statuses = [await statusOf("one"), await statusOf("another")];
    await close();
    expect(statuses).toEqual([503, 404]);
  });

  it("end when their caller disconnects, but keep their place until the store has answered", async () => {
    const { lookUp, lookupsUnderWay, answerAll } = aStore();
    const budget = openBudget(60_000);
    const lookup = lookUp("one", budget);
    await turn();
    budget.abandon();
    await expect(lookup).rejects.toThrow(ClientDisconnectedError);
    expect(lookupsUnderWay.count().underWay).toBe(1);
    await answerAll();
    await turn();
    expect(lookupsUnderWay.count().underWay).toBe(0);
  });

  it("name the store that was late", async () => {
    const { lookUp, answerAll } = aStore();
    const late = lookUp("one", openBudget(1));
    await expect(late).rejects.toThrow(new UnavailableError("mongodb", new LateError(1)));
    await answerAll();
  });
});
