import { expect, it } from "@jest/globals";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { openPrivatePort } from "../../../api/shared/runtime/private-port.ts";

it("a page that fails is answered with 500, without its error, and the others are shown as before", async () => {
  const pages = {
    "/failing": () => Promise.reject(new Error("a secret of the page")),
    "/other": () => ({ type: "text/plain", body: "shown" }),
  };
  const address = { host: "127.0.0.1", port: 0, setting: "WORKER_PORT" };
  const { port, close } = await openPrivatePort(address, pages, createLogger("silent", "worker"));
  try {
    const failed = await fetch(`http://127.0.0.1:${port}/failing`);
    expect([failed.status, await failed.text()]).toEqual([500, "This page failed; the log says why.\n"]);
    expect(await (await fetch(`http://127.0.0.1:${port}/other`)).text()).toBe("shown");
  } finally {
    close();
  }
});
