/** Control characters in files: only tabs and line breaks get into records; printed rows and headers mark others. */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { doctorCommand } from "../../scripts/commands/doctor.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { load, PARTS, readLines, writeFile } from "../support/load-command.ts";
import { loadOf, refusedRowsOf } from "../support/mended-rows.ts";
import { aFile, aPersonLine } from "../support/officer-lines.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type CommandRun } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const ERASE = "\u001b[2J";
// oxlint-disable-next-line no-control-regex -- the test looks for them
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const folder = makeOwnFolder();
const register = forAllTests(openRegister);
let warned: string;
let refused: string;
beforeAll(() => {
  const companies = readFileSync(PARTS[0] ?? "", "utf8");
  warned = writeFile(folder, "warned.csv", companies.replace(",URI,", `,${ERASE},`));
  const [header = ""] = readLines(PARTS[0] ?? "");
  refused = writeFile(folder, "refused.csv", `${header}\r\n"A ${ERASE}","too few"\r\n`);
});

function expectMarked({ printed, messages }: CommandRun, stream: "printed" | "messages"): void {
  for (const line of [...printed, ...messages]) expect(line).not.toMatch(CONTROL_CHARACTERS);
  expect({ printed, messages }[stream].join("\n")).toContain("⟨1B⟩[2J");
}

it("a dry run marks control characters in warnings", async () => {
  expectMarked(await load(register, [warned], { dryRun: "true" }), "printed");
});

it("a load marks control characters in warnings, and so do the commands that print its rows later", async () => {
  expectMarked(await load(register, [warned]), "printed");
  const id = loadOf(await load(register, [refused]));
  expectMarked(await register.run(refusedRowsCommands.list, [id]), "printed");
  expectMarked(await register.run(refusedRowsCommands.show, [id, "2"]), "printed");
});

it("the reason of a failed load marks control characters", async () => {
  const unfit = writeFile(folder, "unfit.csv", `${ERASE},no header of ours\n`);
  await load(register, [unfit], { as: "company-csv" });
  const [failed] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  expect(failed?.state).toBe("failed");
  expectMarked(await register.run(loadsCommands.show, [failed?._id ?? ""]), "printed");
  expectMarked(await register.run(doctorCommand, []), "printed");
});

describe("control characters in a row", () => {
  const BELL = "\u0007";
  const NOISE = "control characters, read as blanks";

  it("become blanks in the record, and a warning names the row", async () => {
    const [header = "", row = "", ...others] = readLines(PARTS[0] ?? "");
    const [, name = "", number = ""] = /^"([^"]+)","([^"]+)"/.exec(row) ?? [];
    const odd = row.replace(name, `A${BELL}B${ERASE} LTD`).replace("FICTION STREET", "FICTION\u0081STREET");
    const file = writeFile(folder, "noise.csv", [header, odd, ...others, ""].join("\r\n"));
    const { printed } = await load(register, [file]);
    expect(printed.filter((line) => line.includes(NOISE))).toEqual([
      expect.stringMatching(/^warning +1 × .*line 2\)$/),
    ]);
    expect(await register.get(`/company/${number}`)).toMatchObject({
      body: {
        company_name: "A B [2J LTD",
        registered_office_address: { address_line_1: "1 FICTION STREET" },
      },
    });
  });

  it("move no field of a fixed-width line", async () => {
    const line = aPersonLine({ company: "99000877", surname: `DOE${BELL}\tROE`, occupation: "BAKER" });
    const file = writeFile(folder, "noise.dat", aFile("DDDDSNAP432120261101", [line]));
    expect((await load(register, [file])).printed.join("\n")).toContain(NOISE);
    expect(await register.get("/company/99000877/officers")).toMatchObject({
      body: { items: [{ name: "DOE  ROE, Una", occupation: "Baker" }] },
    });
  });

  it("that may replace a digit cause the row to be refused: it could be taken for another company's", async () => {
    const [header = "", row = ""] = readLines(PARTS[0] ?? "");
    const odd = row.replace(/^("[^"]+",")[^"]+/, `$1991${BELL}345`);
    const run = await load(register, [writeFile(folder, "digit.csv", [header, odd, ""].join("\r\n"))]);
    expect(await refusedRowsOf(register, loadOf(run))).toMatchObject([
      { line: 2, text: odd, reason: expect.stringContaining("control character beside a digit") },
    ]);
    expect(await register.get("/company/00991345")).toMatchObject({ status: 404 });
  });

  it("from U+0080 to U+009F are read as Windows-1252, and tabs between JSON members are not counted", async () => {
    const [charge = ""] = readFileSync(`${SAMPLE}/api-shaped/charges.jsonl`, "utf8").split("\n");
    const odd = charge.replace("Sample Bank Plc", "O\u0092Brien Plc").replace("{", "{\t");
    const { printed } = await load(register, [writeFile(folder, "signs.jsonl", `${odd}\n`)]);
    expect(printed.join("\n")).not.toContain(NOISE);
    expect(await register.get("/company/99000025/charges")).toMatchObject({
      body: { items: [{ persons_entitled: [{ name: "O’Brien Plc" }] }] },
    });
  });

  it("in JSON escapes become blanks too, and a backslash before such letters stays", async () => {
    const [charge = ""] = readFileSync(`${SAMPLE}/api-shaped/charges.jsonl`, "utf8").split("\n");
    const odd = charge
      .replace("Sample Bank Plc", "Sample\\u0007Bank\\u001b[2J")
      .replace("Imaginary land", "At \\\\u0007\\\\bin\\b");
    const { printed } = await load(register, [writeFile(folder, "noise.jsonl", `${odd}\n`)]);
    expect(printed.join("\n")).toContain(NOISE);
    const { body } = await register.get("/company/99000025/charges");
    expect(body).toMatchObject({ items: [{ persons_entitled: [{ name: "Sample Bank [2J" }] }] });
    expect(JSON.stringify(body)).toContain(String.raw`"At \\u0007\\bin `);
  });
});
