/** The commands `refused-rows` list, show and export. */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext, CommandDefinition } from "../../ingest/commands/define-command.ts";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { DocumentStore } from "../../api/shared/stores/mongodb/mongo.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { exportRows, writeKeptRows, type RefusedRow } from "../../ingest/refused-rows/refused-rows.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { keepLoad } from "../support/loads.ts";
import { loadOf, refusedRowsOf } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const LOAD = "20261121T061200-3f9c";
// More than two pages of a listing.
const ROWS = 2_001;
const BAD_ROWS = "companies/edge-cases/bad-rows.csv";
const ONE_BYTE = "companies/edge-cases/one-invalid-byte.csv";

const folder = makeOwnFolder();
const register = forAllTests(openRegister);
/** The ids of the files' loads. Loading a file again would replace its refused rows. */
const loaded = { [BAD_ROWS]: "", [ONE_BYTE]: "" };
beforeAll(async () => {
  for (const file of [BAD_ROWS, ONE_BYTE] as const) loaded[file] = loadOf(await register.load(file));
});

function aRefusedRow(line: number, load = LOAD): RefusedRow {
  return {
    load,
    file: "companies.csv",
    line,
    source: "company-csv",
    reason: "54 fields",
    text: `row ${line}`,
  };
}

const rowsOf = (load: string, options: Record<string, string> = {}) => refusedRowsOf(register, load, options);

/** The file's lines with these numbers (from 1), without line ends. */
function linesOf(path: string, numbers: number[]): Buffer[] {
  const lines = readFileSync(path, "latin1").split("\n");
  return numbers.map((number) => Buffer.from((lines[number - 1] ?? "").replace(/\r$/, ""), "latin1"));
}

const withEnds = (lines: Buffer[]) => Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]));

describe("refused-rows list", () => {
  it("lists where each row is, why it was refused and how it begins", async () => {
    const load = loaded[BAD_ROWS];
    const refusedRows = await rowsOf(load);
    const { printed } = await register.run(refusedRowsCommands.list, [load]);
    expect(printed).toHaveLength(refusedRows.length);
    expect(printed[0]).toContain(`${SAMPLE}/${BAD_ROWS}:${refusedRows[0]?.line}  `);
    expect(printed[0]).toContain(refusedRows[0]?.reason);
    expect(printed[0]).toContain(refusedRows[0]?.text?.slice(0, 40));
  });

  it("lists the rows with one reason", async () => {
    const load = loaded[BAD_ROWS];
    const all = await rowsOf(load);
    const wanted = all.filter(({ reason }) => reason.includes("fields"));
    expect(wanted.length).toBeGreaterThan(0);
    expect(wanted.length).toBeLessThan(all.length);
    expect(await rowsOf(load, { reason: "FIELDS" })).toEqual(wanted);
  });

  it("lists, without an id, the loads that have refused rows, latest first, by reason", async () => {
    const { documents } = register.stores.mongo;
    await keepLoad(documents, { _id: LOAD });
    await writeKeptRows(
      documents,
      [5, 2, 3, 4].map((line) => aRefusedRow(line)),
    );
    expect((await rowsOf(LOAD, { limit: "3" })).map(({ line }) => line)).toEqual([2, 3, 4]);
    const load = loaded[BAD_ROWS];
    const refusedRows = await rowsOf(load);
    const { printed } = await register.run(refusedRowsCommands.list, [undefined as never], { json: "true" });
    const loads = printed.map((line) => JSON.parse(line) as { load: string; refused: number });
    expect(loads.map((item) => item.load)).toEqual(
      loads
        .map((item) => item.load)
        .toSorted()
        .reverse(),
    );
    expect(loads.find((item) => item.load === LOAD)).toMatchObject({
      refused: 4,
      reasons: [{ reason: "54 fields", count: 4 }],
    });
    expect(loads.find((item) => item.load === load)).toMatchObject({
      state: "succeeded",
      files: [`${SAMPLE}/${BAD_ROWS}`],
      refused: refusedRows.length,
      reasons: expect.arrayContaining(
        refusedRows.map(({ field, reason }) => expect.objectContaining({ ...(field && { field }), reason })),
      ),
    });
    const forPeople = await register.run(refusedRowsCommands.list, [undefined as never]);
    expect(forPeople.printed.join("\n")).toContain("4 × 54 fields");
  });

  it("fails if it is stopped before the end", async () => {
    const list = (isStopping: () => boolean, limit: string) =>
      register.run(refusedRowsCommands.list, [loaded[BAD_ROWS]], { limit }, isStopping);
    expect(await list(() => true, "9")).toMatchObject({ exitCode: 1, printed: [] });
    expect(await list(() => false, "1")).toMatchObject({ exitCode: 0, printed: [expect.anything()] });
  });

  it("says that a load has no refused rows, and succeeds", async () => {
    await keepLoad(register.stores.mongo.documents, { _id: "clean" });
    const clean = await register.run(refusedRowsCommands.list, ["clean"]);
    expect(clean).toMatchObject({ exitCode: 0, printed: [] });
    expect(clean.messages.join()).toMatch(/has no refused rows/);
  });
});

it.each<[string, CommandDefinition]>([
  ["list", refusedRowsCommands.list],
  ["show", refusedRowsCommands.show],
  ["export", refusedRowsCommands.export],
])("refused-rows %s names a load that does not exist", async (_word, command) => {
  const { error } = await register.run(command, ["20261121T061200-3f", "a.csv:1"]);
  expect(error?.message).toMatch(/there is no load 20261121T061200-3f;/);
});

describe("refused-rows show", () => {
  it("marks bytes that are not text, and needs only the line number if the load has one file", async () => {
    const load = loaded[ONE_BYTE];
    const [refusedRow] = await rowsOf(load);
    const { printed, exitCode } = await register.run(refusedRowsCommands.show, [
      load,
      String(refusedRow?.line),
    ]);
    expect(exitCode).toBe(0);
    expect(printed).toContain(`file    ${SAMPLE}/${ONE_BYTE}`);
    expect(printed.at(-1)).toContain("⟨E9⟩");
    const [before = "", after = ""] = printed.at(-1)?.split("⟨E9⟩") ?? [];
    const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xe9]), Buffer.from(after)]);
    expect(bytes.toString("base64")).toBe(refusedRow?.bytes);
  });

  it("shows a row unchanged in JSON, under the name that the list gives it", async () => {
    const load = loaded[BAD_ROWS];
    const [refusedRow] = await rowsOf(load);
    const row = `${refusedRow?.file}:${refusedRow?.line}`;
    const { printed } = await register.run(refusedRowsCommands.show, [load, row], { json: "true" });
    expect(JSON.parse(printed[0] ?? "")).toMatchObject({ ...refusedRow, load, shown: refusedRow?.text });
  });

  it("names a row that does not exist", async () => {
    const { error } = await register.run(refusedRowsCommands.show, [LOAD, "companies.csv:1"]);
    expect(error?.message).toMatch(/has no refused row companies.csv:1/);
  });
});

describe("refused-rows export", () => {
  it.each([BAD_ROWS, ONE_BYTE] as const)("writes header and rows of %s byte for byte", async (file) => {
    const load = loaded[file];
    const lines = (await rowsOf(load)).map(({ line }) => line);
    const { written, exitCode } = await register.run(refusedRowsCommands.export, [load]);
    expect(exitCode).toBe(0);
    expect(written.equals(withEnds(linesOf(`${SAMPLE}/${file}`, [1, ...lines])))).toBe(true);
  });

  it("writes a file that can be loaded like the first one, and overwrites none", async () => {
    const load = loaded[BAD_ROWS];
    const refusedRows = await rowsOf(load);
    const out = join(folder, "mended.csv");
    await register.run(refusedRowsCommands.export, [load], { out });
    const again = await register.run(loadCommand, [out], { as: "company-csv", encoding: "utf-8" });
    const reasons = (await rowsOf(loadOf(again))).map(({ reason }) => reason);
    expect(reasons).toEqual(refusedRows.map(({ reason }) => reason));
    const { error } = await register.run(refusedRowsCommands.export, [load], { out });
    expect(error?.message).toMatch(/already exists/);
  });

  it.each([
    [new Error("it fails"), /^\/.*in-part.csv cannot be written: it fails$/],
    [new UnavailableError("mongodb", "it is away"), /^mongodb is not available: it is away$/],
  ])("leaves no incomplete file behind when reading fails: %s", async (failure, words) => {
    const out = join(folder, "in-part.csv");
    const { stores, config } = register;
    const { documents } = stores.mongo;
    const listBetween: DocumentStore["listBetween"] = (...asked) =>
      existsSync(out) ? Promise.reject(failure) : documents.listBetween(...asked);
    const failing = { ...stores, mongo: { ...stores.mongo, documents: { ...documents, listBetween } } };
    const says = { print: () => undefined, write: () => undefined, tell: () => undefined };
    const asks = { ask: () => Promise.resolve(null), isTerminal: false, isStopping: () => false };
    const context: CommandContext = { config, openStores: () => failing, ...says, ...asks };
    const run = refusedRowsCommands.export.run(context, [loaded[BAD_ROWS]], { out });
    await expect(run).rejects.toThrow(words);
    expect(existsSync(out)).toBe(false);
  });

  it("creates a missing folder, and names what is in the way", async () => {
    const load = loaded[ONE_BYTE];
    const out = join(folder, "not", "yet", "mended.csv");
    const run = await register.run(refusedRowsCommands.export, [load], { out });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(readFileSync(out, "latin1")).toContain("CompanyName");
    const below = join(out, "mended.csv");
    const { error } = await register.run(refusedRowsCommands.export, [load], { out: below });
    expect(error?.message).toBe(`${below} cannot be written: ${out} is a file, not a folder; choose another`);
  });

  it("keeps the bytes of a Latin-1 or Windows-1252 file", async () => {
    const path = join(folder, "latin1.csv");
    const [header = ""] = readFileSync(`${SAMPLE}/${BAD_ROWS}`, "latin1").split("\r\n");
    writeFileSync(path, Buffer.from(`${header}\r\n"CAFÉ \x80\x81\x92","too few"\r\n`, "latin1"));
    const load = loadOf(await register.run(loadCommand, [path], { encoding: "latin1" }));
    expect(await rowsOf(load)).toMatchObject([{ text: '"CAFÉ €\x81’","too few"' }]);
    const { written } = await register.run(refusedRowsCommands.export, [load]);
    expect(written.equals(withEnds(linesOf(path, [1, 2])))).toBe(true);
  });

  it.each([
    ["officers/edge-cases/bad-records.dat", "officers-snapshot"],
    ["disqualified/edge-cases/bad.txt", "disqualified-officers-snapshot"],
    ["psc/edge-cases/psc-edge-cases.txt", "psc-snapshot"],
  ])("writes whole groups of %s, with a trailer that adds up", async (file, as) => {
    const path = `${SAMPLE}/${file}`;
    const load = loadOf(await register.run(loadCommand, [path], { encoding: "utf-8", unchecked: "true" }));
    const refusedRows = await rowsOf(load);
    expect(refusedRows.length).toBeGreaterThan(0);
    const out = join(folder, `${as}.txt`);
    await register.run(refusedRowsCommands.export, [load], { out });
    const again = await register.run(loadCommand, [out], { as, encoding: "utf-8" });
    expect(again.error?.message).toBeUndefined();
    const refused = (some: RefusedRow[]) => some.map(({ reason, text }) => ({ reason, text }));
    expect(refused(await rowsOf(loadOf(again)))).toEqual(refused(refusedRows));
  });

  // Near the end, because loading the files again replaces the rows that the other tests use.
  it("writes the rows of several files into one file each", async () => {
    const load = loadOf(await register.load(BAD_ROWS, ONE_BYTE));
    const { error } = await register.run(refusedRowsCommands.export, [load]);
    expect(error?.message).toMatch(/from 2 files/);
    const out = join(folder, "several");
    const { exitCode } = await register.run(refusedRowsCommands.export, [load], { out });
    expect(exitCode).toBe(0);
    expect(readdirSync(out).sort()).toEqual(["bad-rows-refused.csv", "one-invalid-byte-refused.csv"]);
  });
});

// Last: on an engine that reads everything after the start of a range, this many rows slow every other test.
it("lists all refused rows of a load in file order, and no other load's", async () => {
  const load = "20261121T061201-3f9c";
  const lines = Array.from({ length: ROWS }, (_, at) => at + 2);
  const { documents } = register.stores.mongo;
  await keepLoad(documents, { _id: load });
  await writeKeptRows(documents, lines.map((line) => aRefusedRow(line, load)).reverse());
  await writeKeptRows(documents, [aRefusedRow(1, `${load}0`), aRefusedRow(1, "20261121T061201-3f9b")]);
  expect((await rowsOf(load)).map(({ line }) => line)).toEqual(lines);

  // An export reads while it writes, so that few rows are in memory.
  let reads = 0;
  const listBetween: DocumentStore["listBetween"] = (...asked) => {
    reads += 1;
    return documents.listBetween(...asked);
  };
  const [file, source] = ["companies.csv", "company-csv"];
  const facts = { file, source, rows: ROWS, name: file, header: "the header" };
  const exported = exportRows({ ...documents, listBetween }, load, {
    file,
    source,
    encoding: "utf-8",
    facts,
  });
  const texts: string[] = [];
  for await (const line of exported) {
    texts.push(String(line));
    if (texts.length === 2) expect(reads).toBe(1);
  }
  expect(texts).toEqual(["the header\n", ...lines.map((line) => `row ${line}\n`)]);
}, 120_000);
