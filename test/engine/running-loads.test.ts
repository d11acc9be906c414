/** What `status` shows of running loads, stalls included. */
import { describe, expect, it } from "@jest/globals";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { beginLoad, loadLock, writeLoad } from "../../ingest/history/loads.ts";
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

/** The lines of `status` about running loads. */
async function showStatus(register: TestRegister): Promise<string[]> {
  const { printed } = await register.run(statusCommand, []);
  const from = printed.indexOf("running loads");
  return from === -1 ? [] : printed.slice(from + 1, printed.indexOf("", from));
}

const isInStatus = (register: TestRegister, words: string) => async () =>
  (await showStatus(register)).some((line) => line.includes(words));

/**
 * Watches every command that Redis gets until the returned function is called. It uses its own socket: ioredis (6.0)
 * throws if a command arrives before the answer to MONITOR, since it takes the command for that answer.
 */
async function watchCommands(url: string, onCommand: (words: string[]) => void): Promise<() => void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const lines = createInterface({ input: socket });
  const begun = once(lines, "line");
  socket.write("MONITOR\r\n");
  await begun;
  // Each word is quoted; for what these tests write, the escapes are those of JSON.
  const word = /"(?:[^"\\]|\\.)*"/gu;
  lines.on("line", (line) => onCommand((line.match(word) ?? []).map((text) => unquote(text))));
  return () => socket.destroy();
}

/** A word as Redis shows it. Binary words, such as the bytes of a batch, keep their quotes. */
function unquote(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

describe("a load that stalls", () => {
  it("shows its progress, for how long nothing has been done, and why, until it continues", async () => {
    const register = await newRegister(SETTINGS, false);
    const loading = load(register, PARTS);
    await waitUntil(isInStatus(register, "no worker is connected"), "the stall is shown", 60_000);
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

  it("shows that another load writes the same kind of record", async () => {
    const register = await newRegister();
    const lock = await register.stores.redis.locks.acquire("write:companies");
    const loading = load(register, [COMPANIES]);
    await waitUntil(isInStatus(register, "waiting until no other load"), "the wait is shown", 30_000);
    const [, line] = await showStatus(register);
    expect(line).toMatch(/^ {4}waiting until no other load writes these kinds of record, for [\d.]+ s$/);
    await lock?.release();
    expect((await loading).exitCode).toBe(0);
  }, 60_000);
});

it.each([
  ["load that has only begun", "running", "beginning"],
  ["load that is being undone", "undone", "being undone"],
] as const)("a %s is shown without a step", async (_which, state, words) => {
  const register = await newRegister({}, false);
  const plan = { encoding: "utf-8", isComplete: false } as const;
  const record = { ...beginLoad(["/some/a.csv"], register.config, plan), state };
  await writeLoad(register.stores.mongo.documents, record);
  const lock = await register.stores.redis.locks.acquire(loadLock(record._id));
  const [head = "", line = ""] = await showStatus(register);
  await lock?.release();
  expect([head, line]).toEqual([`  ${record._id}  /some/a.csv`, `    ${words}`]);
});

it("a load with --complete shows each step, and the removal with its total", async () => {
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
