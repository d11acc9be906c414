/** Unfit files change nothing, and what doctor says of them. Files cut at many places: load-damaged.test.ts. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { SourceError } from "../../api/shared/runtime/errors.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { examine, findingOf } from "../support/doctor.ts";
import { COMPANIES, load, PARTS, PSC, writeFile } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { fetchState } from "../support/register-state.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

describe("an unfit file", () => {
  let register: TestRegister;
  let empty: Awaited<ReturnType<typeof fetchState>>;
  beforeAll(async () => {
    register = await openRegister();
    empty = await fetchState(register.stores);
  });
  afterAll(() => register.close());

  it.each([
    ["with another header", [`${SAMPLE}/companies/edge-cases/header-changed.csv`], /CompanyCategory/],
    ["with a header alone", [`${SAMPLE}/companies/edge-cases/header-only.csv`], /no rows/i],
    ["that is no CSV", [`${SAMPLE}/companies/edge-cases/not-csv.csv`], /unknown format|expected/],
    [
      "of officers whose trailer does not add up",
      [`${SAMPLE}/officers/edge-cases/wrong-trailer-count.dat`],
      /trailer says .*(9.*8|8.*9)/,
    ],
    [
      "of disqualified officers whose trailer does not add up",
      [`${SAMPLE}/disqualified/edge-cases/bad.txt`],
      /5.*4|4.*5/,
    ],
    ["without its trailer", [`${SAMPLE}/officers/edge-cases/no-trailer.dat`], /truncated/],
    ["after a good one", [...PARTS, `${SAMPLE}/officers/edge-cases/no-trailer.dat`], /truncated/],
    [
      "with only carriage returns as line ends",
      [writeFile(folder, "cr.csv", readFileSync(PARTS[0] ?? "", "utf8").replaceAll("\r\n", "\r"))],
      /carriage returns alone \(CR\): convert them to line feeds/,
    ],
    [
      "that is a part beyond the last one",
      [writeFile(folder, "BasicCompanyData-2026-11-01-part3_2.csv", readFileSync(PARTS[0] ?? ""))],
      /part 3 of 2/,
    ],
    ["of two parts of which one is named twice", [PARTS[0] ?? "", PARTS[0] ?? ""], /both part 1/],
  ])("%s changes nothing", async (_name, files, reason) => {
    const run = await load(register, files);
    expect(run.error).toBeInstanceOf(SourceError);
    expect(run.error?.message).toMatch(reason);
    expect(await fetchState(register.stores)).toEqual(empty);
    expect(run.messages.join("\n")).not.toContain("--resume");
  });

  it("in an edition in parts whose totals do not add up changes nothing", async () => {
    const short = writeFile(
      folder,
      "psc-snapshot-2026-11-01_1of2.txt",
      readFileSync(PSC[0] ?? "", "utf8")
        .split("\n")
        .slice(1)
        .join("\n"),
    );
    const run = await load(register, [short, PSC[1] ?? ""]);
    expect(run.error?.message).toMatch(/totals line says 143 records, the 2 parts have 142/);
    expect(await fetchState(register.stores)).toEqual(empty);
  });

  it("of another edition than the part beside it changes nothing", async () => {
    const other = writeFile(folder, "psc-snapshot-2026-10-01_1of2.txt", readFileSync(PSC[0] ?? ""));
    const run = await load(register, [other, PSC[1] ?? ""]);
    expect(run.error?.message).toMatch(
      /parts of two editions \(2026-10-01 in 2 parts, 2026-11-01 in 2 parts\)/,
    );
    expect(await fetchState(register.stores)).toEqual(empty);
  });

  it("is listed as a failed load, with the reason", async () => {
    await load(register, [`${SAMPLE}/officers/edge-cases/no-trailer.dat`]);
    const [latest] = await fetchLatestLoads(register.stores.mongo.documents, 1);
    expect(latest).toMatchObject({ state: "failed", reason: expect.stringMatching(/truncated/) as unknown });
  });
});

it("a name that is no file's is refused before a load is listed, alone and after a good file", async () => {
  const register = await newRegister();
  for (const files of [["no/such/file.csv"], [COMPANIES, folder]]) {
    const run = await load(register, files);
    expect(run.error?.message).toMatch(/cannot be read: (there is no such file|it is a folder)/);
  }
  expect(await fetchLatestLoads(register.stores.mongo.documents, 9)).toEqual([]);
  expect(findingOf(await examine(register), "Last load of each format").verdict).toBe("warn");
});

it("--as-of accepts only moments in the documented form", async () => {
  const register = await newRegister();
  const dryRun = (asOf: string) => load(register, [COMPANIES], { asOf, dryRun: "true" });
  for (const moment of ["2026-11-20T09:00:00Z", "2026-11-20T09:00Z", "2024-02-29T23:59:59.999Z"])
    expect(await dryRun(moment)).toMatchObject({ exitCode: 0 });
  const others = [
    "03/11/2026",
    "2026-02-31T09:00:00Z",
    "5",
    "2026-11-20T09:00:00",
    "2026-11-20",
    "2999-01-01T00:00:00Z",
  ];
  for (const other of others)
    expect((await dryRun(other)).error?.message).toBe(
      `--as-of must be a moment in the past such as 2026-11-20T09:00:00Z, not "${other}"`,
    );
});

it("a file of unknown format is listed as a failed load of no source, so doctor finds no fault", async () => {
  const register = await newRegister();
  const path = writeFile(folder, "notes.txt", "bread, milk\n");
  const run = await load(register, [path]);
  expect(run.error?.message).toMatch(/notes\.txt: unknown format: it begins with "bread, milk"; see /);
  expect(await fetchLatestLoads(register.stores.mongo.documents, 9)).toMatchObject([{ state: "failed" }]);
  await load(register, [COMPANIES]);
  await load(register, [path]);
  expect(findingOf(await examine(register), "Last load of each format").verdict).toBe("ok");
});

it("doctor reports a cut file of a known format until a file of that format is loaded", async () => {
  const register = await newRegister();
  const fetchFinding = async () => findingOf(await examine(register), "Last load of each format");
  const cut = writeFile(folder, basename(PSC[1] ?? ""), readFileSync(PSC[1] ?? "").subarray(0, 2_000));
  expect((await load(register, [PSC[0] ?? "", cut])).error).toBeInstanceOf(SourceError);
  await load(register, [COMPANIES]);
  expect((await fetchFinding()).found).toMatch(
    / failed: \S+psc-snapshot-2026-11-01_2of2\.txt: no totals line/,
  );
  await load(register, PSC);
  expect((await fetchFinding()).verdict).toBe("ok");
  // An edition older than the register would have brought nothing that is missing.
  const older = writeFile(folder, "BasicCompanyDataAsOneFile-2026-10-01.csv", readFileSync(PARTS[0] ?? ""));
  expect((await load(register, [older])).error?.message).toMatch(/an older edition/);
  await load(register, PSC);
  expect((await fetchFinding()).verdict).toBe("ok");
});

describe("a file that its end shows to be incomplete", () => {
  it("is loaded with --unchecked, but never as a whole edition", async () => {
    const register = await newRegister();
    const path = `${SAMPLE}/officers/edge-cases/no-trailer.dat`;
    const run = await load(register, [path], { unchecked: "true" });
    expect(run.error).toBeUndefined();
    expect(run.messages.join("\n")).toMatch(
      /rows read as officers-snapshot, although truncated.*; download it again$/m,
    );
    expect(await register.stores.mongo.records.count(appointmentRecord, {})).toBeGreaterThan(0);
    const whole = await load(register, [path], { unchecked: "true", complete: "true" });
    expect(whole.error?.message).toMatch(/leave --unchecked out/);
  });
});
