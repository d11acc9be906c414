import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { openPrivatePort, type PrivatePort } from "../../../api/shared/runtime/private-port.ts";

let served: PrivatePort;
beforeAll(async () => {
  const pages = {
    "/failing": () => Promise.reject(new Error("a secret of the page")),
    "/other": () => ({ type: "text/plain", body: "shown" }),
  };
  const address = { host: "127.0.0.1", port: 0, setting: "WORKER_PORT" };
  served = await openPrivatePort(address, pages, createLogger("silent", "worker"));
});
afterAll(() => served.close());

async function ask(path: string, method = "GET") {
  const answer = await fetch(`http://127.0.0.1:${served.port}${path}`, { method });
  return [answer.status, await answer.text()];
}

it("a page that fails is answered with 500, without its error, and the others are shown as before", async () => {
  expect(await ask("/failing")).toEqual([500, "This page failed; the log says why.\n"]);
  expect(await ask("/other?at=once")).toEqual([200, "shown"]);
});

it.each([
  ["POST", "/other", 405, "This page takes GET only.\n"],
  ["HEAD", "/other", 200, ""],
  ["GET", "/toString", 404, "There is no such page. The pages are: /failing, /other\n"],
])("%s %s is answered with %i", async (method, path, status, body) => {
  expect(await ask(path, method)).toEqual([status, body]);
});
