/**
 * A program in another language reads the event streams. No package for these streams was found in npm or PyPI, so the
 * program uses the HTTP client `requests`: the key is the user name, and it reads lines, heartbeats and timepoints.
 */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { streams } from "../../api/streams/streams.ts";
import { openPython } from "../support/python.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { SAMPLE_FILES } from "../support/sample-register.ts";
import { openStreams, STREAM_KEY, type SentEvent, type TestStreams } from "../support/streams.ts";

let register: TestRegister;
let out: TestStreams;
let bin: string;
beforeAll(async () => {
  bin = await openPython();
  register = await openRegister();
  const before = SAMPLE_FILES.filter((file) => !file.startsWith("streams/"));
  for (const files of [before, streams.map(({ name }) => `streams/${name}.ndjson`)])
    expect((await register.load(...files)).error).toBeUndefined();
  out = await openStreams(register, { heartbeatMs: 500 });
}, 600_000);
afterAll(async () => {
  await out.close();
  await register.close();
});

it("a client that reconnects after every two events sees each event of all streams once and in order", async () => {
  const sent = new Map<string, SentEvent[]>();
  for (const { name } of streams) sent.set(name, await out.read(`/${name}?timepoint=0`, 0));
  const filled = [...sent].filter(([, events]) => events.length > 0);
  expect(filled.length).toBeGreaterThan(5);
  const counts = Object.fromEntries(filled.map(([name, events]) => [name, events.length]));
  const program = spawn(join(bin, "python"), ["test/python/read_streams.py"], { stdio: "pipe" });
  program.stdin.end(JSON.stringify({ base: out.base, key: STREAM_KEY, streams: counts, timepoint: 0 }));
  const [output, faults] = await Promise.all([text(program.stdout), text(program.stderr)]);
  expect(faults).toBe("");
  const lines = output.trimEnd().split("\n");
  const { heartbeats, refused } = JSON.parse(lines.pop() ?? "") as { heartbeats: number; refused: number[] };
  expect(heartbeats).toBeGreaterThan(0);
  expect(refused).toEqual([416, 401]);
  const read = lines.map((line) => JSON.parse(line) as SentEvent & { stream: string });
  const wanted = filled.flatMap(([stream, events]) => events.map((event) => ({ stream, ...event })));
  expect(read).toEqual(wanted);
}, 300_000);
