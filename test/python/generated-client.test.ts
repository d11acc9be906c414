/** A client generated from the OpenAPI document must read every kind of answer completely. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { resources } from "../../api/resources/index.ts";
import { searches } from "../../api/search/index.ts";
import { openLoadedSample } from "../support/loaded-sample.ts";
import { openPython } from "../support/python.ts";
import { TEST_KEY, type TestRegister } from "../support/register.ts";

let register: TestRegister;
let bin: string;
beforeAll(async () => {
  bin = await openPython();
  register = await openLoadedSample();
}, 600_000);
afterAll(() => register.close());

it("a client by openapi-python-client reads all answers of the sample register", async () => {
  const program = spawn(join(bin, "python"), ["test/python/generated_client.py"], { stdio: "pipe" });
  program.stdin.end(JSON.stringify({ base: register.base, key: TEST_KEY }));
  const closed = once(program, "close");
  const [output, faults] = await Promise.all([text(program.stdout), text(program.stderr)]);
  await closed;
  expect(program.exitCode === 0 ? "" : faults).toBe("");
  const read = output
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { operation: string; path: string; fault: string | null });
  expect(read.filter(({ fault }) => fault !== null)).toEqual([]);
  expect(new Set(read.map(({ operation }) => operation)).size).toBe(resources.length + searches.length);
}, 300_000);
