/** Refused rows that are exported, mended and loaded end as if they had been good from the start. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { load, OFFICERS, PARTS, PSC } from "../support/load-command.ts";
import { refusedRowsOf, loadOf } from "../support/mended-rows.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { fetchState } from "../support/register-state.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";

const folder = makeOwnFolder();

// One register loads the good files and one the bad ones; each case uses another source, so they can share.
let undisturbed: TestRegister;
let register: TestRegister;
beforeAll(async () => {
  [undisturbed, register] = await Promise.all([openRegister(), openRegister()]);
});
afterAll(() => Promise.all([undisturbed.close(), register.close()]));

const noNumber = (line: string) => line.replace(/"[A-Z0-9]{8}"/, '"9.9E+07"');
// The kind itself is damaged, so the load cannot know what the mended row will be.
const noKind = (line: string) => line.replace('"kind":', '"kin":');
const noSection = (line: string) => line.slice(0, 20);
const noRole = (line: string) => `${line.slice(0, 10)}ZZ${line.slice(12)}`;
const noEvent = (line: string) => line.replace('"event":', '"evnt":');
const isFourth = (_line: string, at: number) => at > 0 && at % 4 === 0;

it.each([
  ["company-csv", PARTS[0] ?? "", noNumber, isFourth],
  ["psc-snapshot", PSC[1] ?? "", noKind, (line, at) => isFourth(line, at) && !line.includes("totals#")],
  ["officers-snapshot", OFFICERS[2] ?? "", noRole, (line, at) => isFourth(line, at) && line[8] === "2"],
  ["disqualified-officers-snapshot", `${SAMPLE}/disqualified/Prod192_4287.txt`, noSection, isOrder],
  ["streaming-events", `${SAMPLE}/streams/companies.ndjson`, noEvent, (line, at) => at > 0 && line !== ""],
] satisfies [string, string, (line: string) => string, (line: string, at: number) => boolean][])(
  "a register with mended rows of %s equals one in which they were good from the start",
  async (as, path, spoil, isSpoilt) => {
    const good = readFileSync(path, "utf8").split(/\r?\n/);
    const bad = good.map((line, at) => (isSpoilt(line, at) ? spoil(line) : line));
    const mended = new Map(bad.map((line, at) => [line, good[at] ?? ""]));
    // The good file has the same name, since a part is compared only with its own rows.
    const name = join(folder, basename(path));
    writeFileSync(name, good.join("\n"));
    expect(await load(undisturbed, [name])).toMatchObject({ exitCode: 0 });

    writeFileSync(name, bad.join("\n"));
    const run = await load(register, [name]);
    expect(run).toMatchObject({ exitCode: 2 });
    const id = loadOf(run);
    const out = join(folder, as, "mended.txt");
    await register.run(refusedRowsCommands.export, [id], { out });
    const exported = readFileSync(out, "utf8").split("\n");
    writeFileSync(out, exported.map((line) => mended.get(line) ?? line).join("\n"));
    const again = await load(register, [out], { mends: id });
    expect(again.error?.message).toBeUndefined();
    expect(again).toMatchObject({ exitCode: 0 });
    expect(await fetchState(register.stores)).toEqual(await fetchState(undisturbed.stores));
    expect(await refusedRowsOf(register, id)).toEqual([]);
  },
);

/** Tells whether a line is a disqualification to damage: every fifth. */
function isOrder(line: string, at: number): boolean {
  return line.startsWith("2") && at % 5 === 0;
}
