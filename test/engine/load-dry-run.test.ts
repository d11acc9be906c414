/** Dry runs of loads: they report what would change, and write nothing. */
import { appendFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { SourceError } from "../../api/shared/runtime/errors.ts";
import { PERSONS } from "../../api/shared/stores/collections/persons.ts";
import { beginLoad, fetchLatestLoads } from "../../ingest/history/loads.ts";
import { runDry } from "../../ingest/load/dry-run.ts";
import type { LoadRun } from "../../ingest/load/open-file.ts";
import { openInput } from "../../ingest/readers/open-input.ts";
import { COMPANIES, load, PARTS, readLines, writeFile } from "../support/load-command.ts";
import { anUpdateLine } from "../support/officer-lines.ts";
import { writeUpdate } from "../support/officers-update.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { fetchState } from "../support/register-state.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { SAMPLE } from "../support/sample-register.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

describe("a dry run", () => {
  it("reports what would change, and writes nothing", async () => {
    const register = await newRegister({}, false);
    const before = await fetchState(register.stores);
    const run = await load(register, [COMPANIES], { dryRun: "true" });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(run.printed).toEqual(
      expect.arrayContaining(["read      200", "created   200", "changed   0", "unchanged 0", "refused   0"]),
    );
    expect(await fetchState(register.stores)).toEqual(before);
    expect(await fetchLatestLoads(register.stores.mongo.documents, 1)).toEqual([]);
  });

  it("compares with stored records, and shows refused rows and how many records would be retired", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    await load(register, [COMPANIES]);
    const before = await fetchState(register.stores);
    const [header = "", ...rows] = readLines(PARTS[0] ?? "");
    const changed = rows
      .slice(0, 10)
      .map((row, index) =>
        index === 0
          ? row.replace(/"Active"/, '"Liquidation"')
          : index === 1
            ? row.replace(/"[A-Z0-9]{8}"/, '"x"')
            : row,
      );
    const path = writeFile(folder, "changed.csv", [header, ...changed, ""].join("\r\n"));
    const run = await load(register, [path], {
      dryRun: "true",
      complete: "true",
      force: "true",
      json: "true",
    });
    expect(run).toMatchObject({ exitCode: 2 });
    expect(JSON.parse(run.printed[0] ?? "")).toMatchObject({
      ...{ read: 10, created: 0, changed: 1, unchanged: 8, refused: 1, retired: 191 },
      refused_rows: [{ line: 3, field: "company_number" }],
    });
    expect(await fetchState(register.stores)).toEqual(before);
    expect(
      (await load(register, [`${SAMPLE}/officers/edge-cases/no-trailer.dat`], { dryRun: "true" })).error,
    ).toBeInstanceOf(SourceError);
  });

  it("stores no correction of a nominee", async () => {
    const register = await newRegister({}, false);
    const correction = { number: "900000010001", company: "", oldType: "  ", newType: "  ", appointed: "" };
    const update = writeUpdate(folder, 4322, [anUpdateLine({ ...correction, surname: "RENAMED" })]);
    const options = { dryRun: "true", force: "true" };
    expect(await load(register, [update], options)).toMatchObject({ exitCode: 0 });
    expect(await register.stores.mongo.documents.fetchAny(PERSONS)).toBeNull();
  });

  it("of several files compares each with what is stored now, and says so", async () => {
    const register = await newRegister({}, false);
    const run = await load(register, [COMPANIES, COMPANIES], { dryRun: "true" });
    expect(run.printed).toEqual(expect.arrayContaining(["created   400", "unchanged 0"]));
    expect(run.printed[0]).toMatch(/compared with what is stored now, not with what earlier batches would/);
  });

  it("of an edition that grows between its two readings fails with that reason", async () => {
    const register = await newRegister({}, false);
    const [header = "", first = "", ...others] = readLines(PARTS[0] ?? "");
    const name = "BasicCompanyDataAsOneFile-2026-11-01.csv";
    const path = writeFile(folder, name, [header, first, ""].join("\r\n"));
    let opened = 0;
    const open: LoadRun["open"] = async () => {
      if ((opened += 1) === 2) appendFileSync(path, [...others, ""].join("\r\n"));
      return openInput(path);
    };
    const context = { config: register.config, tell: () => undefined, isStopping: () => false };
    const watch = () => ({ onProgress: () => undefined, end: () => undefined });
    const record = beginLoad([path], register.config, { encoding: "utf-8", isComplete: true });
    const { stores } = register;
    const run = { context, stores, record, open, watch, isForced: true, isDryRun: true };
    await expect(runDry(run)).rejects.toThrow(
      `${path} changed while it was loaded: 1 row became ${others.length + 1}`,
    );
  });
});
