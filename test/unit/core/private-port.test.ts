import { expect, it } from "@jest/globals";
import { createLogger } from "../../../api/shared/runtime/logger.ts";
import { openPrivatePort } from "../../../api/shared/runtime/private-port.ts";

it("a page that fails half-way is interrupted, so that nobody waits for its rest", async () => {
  const address = { host: "127.0.0.1", port: 0, setting: "WORKER_PORT" };
  const below = {
    "/half": (_request: unknown, response: { write: (text: string) => void }) => {
      response.write("the first half");
      throw new Error("no second half");
    },
  };
  const { port, close } = await openPrivatePort(
    address,
    { pages: {}, below },
    createLogger("silent", "worker"),
  );
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/half`, { signal: AbortSignal.timeout(5_000) });
    await expect(answer.text()).rejects.toThrow("terminated");
  } finally {
    close();
  }
});
