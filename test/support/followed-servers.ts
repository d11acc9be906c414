/** Shared by the tests of `follow`: an event, the command run until a condition holds, and fake stream servers. */
import { followCommand } from "../../ingest/commands/follow.ts";
import type { CommandRun, TestRegister } from "./register.ts";
import * as waiting from "./wait-until.ts";

export { serve } from "./serve.ts";

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
export function waitUntil(holds: () => Promise<boolean> | boolean, lookMs = LOOK_MS): Promise<void> {
  return waiting.waitUntil(holds, String(holds), LATEST_MS, lookMs);
}
