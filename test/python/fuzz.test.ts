import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { openLoadedSample } from "../support/loaded-sample.ts";
import { openPython } from "../support/python.ts";
import { TEST_KEY, type TestRegister } from "../support/register.ts";

const TIMEOUT_MS = 15 * 60_000;

let register: TestRegister;
let bin: string;

beforeAll(async () => {
  bin = await openPython();
  register = await openLoadedSample();
}, 300_000);
afterAll(() => register.close());

it(
  "a property-based fuzzer over /openapi.json finds no failure and no answer outside its schema",
  async () => {
    const options = [
      "run",
      `${register.base}/openapi.json`,
      ...["--header", `Authorization: Basic ${Buffer.from(`${TEST_KEY}:`).toString("base64")}`],
      ...[
        "--checks",
        "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
      ],
      ...["--max-examples", process.env.FUZZ_EXAMPLES ?? "50"],
      ...["--seed", "20261121"],
      "--no-color",
    ];
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      execFile(join(bin, "schemathesis"), options, { maxBuffer: 50_000_000 }, (error, stdout, stderr) => {
        resolve({ code: error ? 1 : 0, output: stdout + stderr });
      });
    });
    // As the report says what was found, and has a command to repeat it, a failure shows the report.
    expect(code === 0 ? "" : output).toBe("");
  },
  TIMEOUT_MS,
);
