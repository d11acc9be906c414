import { expect, it } from "@jest/globals";
import Koa from "koa";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { createMetrics } from "../../../api/shared/metrics/metrics.ts";
import { countRequests } from "../../../api/http/ops.ts";
import { requestContext, type EndedRequest, type RequestState } from "../../../api/http/request-context.ts";
import { listen } from "../../support/serve.ts";
import { sampleOf } from "../../support/scrape.ts";

it("a request whose client disconnects before its answer has ended is counted as aborted", async () => {
  const metrics = createMetrics("api");
  const count = countRequests(metrics);
  let resolveEnd: (request: EndedRequest) => void;
  const ended = new Promise<EndedRequest>((resolve) => (resolveEnd = resolve));
  const app = new Koa<RequestState>();
  const onEnd = (request: EndedRequest) => {
    count(request);
    resolveEnd(request);
  };
  app.use(requestContext(createLogger("silent", "api"), onEnd));
  app.use((ctx) => {
    ctx.state.route = "company-profile";
    ctx.respond = false;
    ctx.res.writeHead(200, { "Content-Length": "1000" });
    ctx.res.write("half of");
  });
  const { base, close } = await listen(app);
  const controller = new AbortController();
  const { signal } = controller;
  expect((await fetch(base, { signal })).status).toBe(200);
  controller.abort();
  expect(await ended).toMatchObject({ route: "company-profile", isWhole: false });
  await close();
  const page = await metrics.write();
  const countOf = (status: string) =>
    sampleOf(page, "request_seconds_count", { route: "company-profile", status });
  expect([countOf("aborted"), countOf("200")]).toEqual([1, undefined]);
});

it("a request is counted by its status, and an answer that came too late as a missed deadline", async () => {
  const metrics = createMetrics("api");
  const count = countRequests(metrics);
  const whole = { route: "company-profile", isWhole: true, seconds: 1 };
  count({ ...whole, status: 200, isLate: false });
  count({ ...whole, status: 503, isLate: true });
  const page = await metrics.write();
  const { route } = whole;
  expect([
    sampleOf(page, "request_seconds_count", { route, status: "200" }),
    sampleOf(page, "request_seconds_count", { route, status: "503" }),
    sampleOf(page, "deadlines_missed_total", { route }),
  ]).toEqual([1, 1, 1]);
});
