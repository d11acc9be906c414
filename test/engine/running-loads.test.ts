/** What `status` says of loads that run, stalls included. */
import { describe, expect, it } from "@jest/globals";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fetchRunning } from "../../ingest/history/running.ts";
import type { StepState } from "../../ingest/pace.ts";
import { statusCommand } from "../../scripts/commands/status.ts";
import { addWorker } from "../support/further-worker.ts";
import { COMPANIES, load, PARTS, writeEdition } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { waitUntil } from "../support/wait-until.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();
const SETTINGS = { BATCH_ROWS: "10", QUEUE_DEPTH: "6" };

/** The lines of `status` about the loads that run. */
async function showStatus(register: TestRegister): Promise<string[]> {
  const { printed } = await register.run(statusCommand, []);
  const from = printed.indexOf("running loads");
  return from === -1 ? [] : printed.slice(from + 1, printed.indexOf("", from));
}

const isShown = (register: TestRegister, words: string) => async () =>
  (await showStatus(register)).some((line) => line.includes(words));

/**
 * Sees each command that Redis gets until the returned function is called. Over a socket of its own: ioredis (6.0) takes a command
 * that is shown before it has read the answer to MONITOR for an answer, and throws.
 */
async function watchCommands(url: string, see: (words: string[]) => void): Promise<() => void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = createInterface({ input: socket });
  const begun = once(lines, "line");
  socket.write("MONITOR\r\n");
  await begun;
  // Each word in quotes, with the escapes of JSON for what these tests write.
  const word = /"(?:[^"\\]|\\.)*"/gu;
  lines.on("line", (line) => see((line.match(word) ?? []).map((text) => unquote(text))));
  return () => socket.destroy();
}

/** A word as Redis shows it; what is no text, as the bytes of a batch, stays in its quotes. */
function unquote(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

describe("a load that stalls", () => {
  it("is shown with what is done and for how long nothing has been, and why, until it goes on", async () => {
    const register = await newRegister(SETTINGS, false);
    const loading = load(register, PARTS);
    await waitUntil(isShown(register, "no worker is connected"), "the stall is shown", 60_000);
    const [head = "", line = ""] = await showStatus(register);
    expect(head).toMatch(/^ {2}\S+ {2}\S+part1_2\.csv and 1 more \(company-csv\)$/);
    expect(line).toMatch(
      /^ {4}loading \S+part1_2\.csv: 0 of 200 rows, 0 %, no rows for \d+ s: batches are waiting, but no worker is connected to Redis; start one if none runs /,
    );
    expect(line).not.toMatch(/left|rows\/s/);
    const [running] = await fetchRunning(register.stores);
    expect(running).toMatchObject({
      sources: ["company-csv"],
      step: { done: 0, total: 200, share: 0, per_second: null, seconds_left: null },
    });

    const stop = addWorker(register);
    expect((await loading).exitCode).toBe(0);
    await stop();
    expect(await showStatus(register)).toEqual([]);
  }, 120_000);

  it("because another load writes the same kind of record says so", async () => {
    const register = await newRegister();
    const lock = await register.stores.redis.locks.acquire("write:companies");
    const loading = load(register, [COMPANIES]);
    await waitUntil(isShown(register, "waiting until no other load"), "the wait is shown", 30_000);
    const [, line] = await showStatus(register);
    expect(line).toMatch(/^ {4}waiting until no other load writes these kinds of record, for [\d.]+ s$/);
    await lock?.release();
    expect((await loading).exitCode).toBe(0);
  }, 60_000);
});

it("a load with --complete shows each of its steps, the removal with what is removed of how many", async () => {
  const register = await newRegister({ COMPLETE_MIN_PERCENT: "50" });
  await load(register, [COMPANIES]);
  const next = writeEdition(
    folder,
    "BasicCompanyDataAsOneFile-2026-12-01.csv",
    (_row, index) => index % 4 > 0,
  );
  const steps: string[] = [];
  const mark = `${register.config.QUEUE_PREFIX}:locks:note:`;
  const end = await watchCommands(register.config.REDIS_URL, ([command = "", key = "", note = ""]) => {
    if (command.toLowerCase() !== "set" || !key.startsWith(mark)) return;
    const { doing, unit, total } = (JSON.parse(note) as { step: StepState }).step;
    steps.push([doing, total, unit].filter((part) => part !== null).join(", "));
  });
  const run = await load(register, [next], { complete: "true" });
  end();
  expect(run.exitCode).toBe(0);
  expect([...new Set(steps)]).toEqual([
    `checking ${next}, rows`,
    "waiting until no other load writes these kinds of record",
    `loading ${next}, 150, rows`,
    "looking for stored records that the edition lacks, 200, records",
    "removing records that the edition lacks, 50, records",
    "updating the search",
  ]);
}, 60_000);
