/** Shared by the tests of `follow`: fake stream servers, and the command run until a condition holds. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { followCommand } from "../../ingest/commands/follow.ts";
import type { CommandRun, TestRegister } from "./register.ts";

const LATEST_MS = 100_000;
const LOOK_MS = 200;

/** A line of the stream of companies: the event at timepoint 8. */
export const EVENT = JSON.stringify({
  resource_kind: "company-profile",
  resource_uri: "/company/00000008",
  resource_id: "00000008",
  data: { company_number: "00000008", company_name: "FOLLOWED LTD", type: "ltd", company_status: "active" },
  event: { timepoint: 8, published_at: "2026-11-20T10:00:00", type: "changed" },
});

/** Runs `follow` until `until` resolves or the command ends. */
export async function follow(
  register: TestRegister,
  args: string[],
  options: Record<string, string>,
  until: () => Promise<unknown>,
): Promise<CommandRun> {
  let isStopping = false;
  const running = register.run(followCommand, args, options, () => isStopping);
  await Promise.race([until(), running]);
  isStopping = true;
  return running;
}

/** Waits until the condition holds; throws after 100 seconds. */
export async function waitUntil(isSo: () => Promise<boolean> | boolean, lookMs = LOOK_MS): Promise<void> {
  for (const end = Date.now() + LATEST_MS; Date.now() < end; await sleep(lookMs)) if (await isSo()) return;
  throw new Error("it has not become so");
}

/** Starts a server with this listener. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { base, close };
}
