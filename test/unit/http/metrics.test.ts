import { expect, it } from "@jest/globals";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { createMetrics } from "../../../api/shared/metrics/metrics.ts";
import { countRequests } from "../../../api/http/ops.ts";
import { requestContext, type EndedRequest, type RequestState } from "../../../api/http/request-context.ts";
import { sampleOf } from "../../support/scrape.ts";

it("a request whose client goes away before its answer has ended is counted as aborted", async () => {
  const metrics = createMetrics("api");
  const count = countRequests(metrics);
  let tellEnd: (request: EndedRequest) => void;
  const ended = new Promise<EndedRequest>((resolve) => (tellEnd = resolve));
  const app = new Koa<RequestState>();
  const onEnd = (request: EndedRequest) => {
    count(request);
    tellEnd(request);
  };
  app.use(requestContext(createLogger("silent", "api"), onEnd));
  app.use((ctx) => {
    ctx.state.route = "company-profile";
    ctx.respond = false;
    ctx.res.writeHead(200, { "Content-Length": "1000" });
    ctx.res.write("half of");
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const controller = new AbortController();
  const { signal } = controller;
  const { port } = server.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}`, { signal })).status).toBe(200);
  controller.abort();
  expect(await ended).toMatchObject({ route: "company-profile", isWhole: false });
  server.close();
  server.closeAllConnections();
  const told = (status: string) =>
    sampleOf(metricsPage, "request_seconds_count", { route: "company-profile", status });
  const metricsPage = await metrics.write();
  expect([told("aborted"), told("200")]).toEqual([1, undefined]);
});
