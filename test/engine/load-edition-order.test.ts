/** Whole editions on the real engines that may not remove anything: older ones, and those that a dry run looks at. */
import { describe, expect, it } from "@jest/globals";
import { COMPANIES, countCompanies, load, writeEdition } from "../support/load-command.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { registersPerTest } from "../support/registers-per-test.ts";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

describe("a whole edition", () => {
  it("that is older than one that was loaded removes nothing, unless it is forced", async () => {
    const register = await newRegister({ COMPLETE_MIN_PERCENT: "0" });
    const newer = writeEdition(folder, "BasicCompanyData-2026-12-01.csv", (_row, index) => index % 20 !== 0);
    const older = writeEdition(folder, "BasicCompanyData-2026-11-01.csv", (_row, index) => index > 9);
    await load(register, [newer]);
    for (const options of [{}, { dryRun: "true" }]) {
      const run = await load(register, [older], { complete: "true", ...options });
      expect(run.error?.message).toMatch(
        /^--complete: the edition is of 2026-11-01, and one of 2026-12-01 was loaded \(\S+\): .* lift this with --force/,
      );
    }
    expect(await countCompanies(register)).toBe(190);
    expect(await load(register, [older], { complete: "true", force: "true" })).toMatchObject({ exitCode: 0 });
    expect(await countCompanies(register)).toBe(190);
    // Of the same day again, and a newer one, as ever.
    expect(await load(register, [newer], { complete: "true" })).toMatchObject({ exitCode: 0 });
    expect(await load(register, [newer], { complete: "true" })).toMatchObject({ exitCode: 0 });
  });

  it("that lacks too much is told by a dry run without a word of a load that never was", async () => {
    const register = await newRegister();
    await load(register, [COMPANIES]);
    const half = writeEdition(folder, "half.csv", (_row, index) => index % 2 === 0);
    const run = await load(register, [half], { complete: "true", dryRun: "true" });
    expect(run.error?.message).toMatch(
      /^nothing would be removed: the edition holds only 50\.0 % of the 200/,
    );
  });
});
