/** The delay of refusals that come in floods, a refusal without words, and the answer to an unexpected error. */
import { expect, it, jest } from "@jest/globals";
import Koa from "koa";
import { errorResponse } from "../../../api/http/error-response.ts";
import type { RequestState } from "../../../api/http/request-context.ts";
import { ApiError, BusyError } from "../../../api/shared/runtime/errors.ts";
import { listen } from "../../support/serve.ts";

it("sends two hundred refusals a second at once, and the others a moment later", async () => {
  // All of them come within one second.
  const clock = jest.spyOn(performance, "now").mockReturnValue(0);
  const respond = errorResponse();
  const sent: number[] = [];
  const refuse = async () => {
    // The cast: the middleware uses nothing else of a context.
    const ctx = { state: {}, set: () => undefined, status: 200 } as unknown as Parameters<typeof respond>[0];
    await respond(ctx, () => Promise.reject(new BusyError("too many searches are running", 1)));
    sent.push(ctx.status);
  };
  const all = Array.from({ length: 210 }, refuse);
  // By then every refusal that waits for no timer has been sent.
  await new Promise((resolve) => process.nextTick(resolve));
  clock.mockRestore();
  expect(sent).toEqual(Array(200).fill(503));
  await Promise.all(all);
  expect(sent).toHaveLength(210);
});

it("answers an unexpected error with the request's id, under which the log has the error", async () => {
  const respond = errorResponse();
  const log = { error: jest.fn() };
  // The cast: the middleware uses nothing else of a context.
  const ctx = { state: { requestId: "one", log }, set: () => undefined } as unknown as Parameters<
    typeof respond
  >[0];
  const fault = new Error("SMITH, Jane");
  await respond(ctx, () => Promise.reject(fault));
  expect([ctx.status, ctx.body]).toEqual([500, { exception_id: "one", error: "Internal server error" }]);
  expect(log.error.mock.calls).toEqual([[{ err: fault }, "request failed"]]);
});

it("answers a refusal that has no details with an empty body", async () => {
  const app = new Koa<RequestState>();
  app.use(errorResponse());
  app.use(() => Promise.reject(new ApiError(429, [])));
  const { base, close } = await listen(app);
  const answer = await fetch(base);
  const body = await answer.text();
  await close();
  expect([answer.status, body, answer.headers.get("content-type")]).toEqual([429, "", null]);
});
