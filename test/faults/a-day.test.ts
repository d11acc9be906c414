/** A day in the life of an operator: runs the commands that people type, and checks every sentence they show. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, jest } from "@jest/globals";
import { OFFICERS, readLines, writeEdition, writeFile } from "../support/load-command.ts";
import { findFreePort, openOperator, type Typed } from "../support/operator.ts";
import { basic } from "../support/register.ts";
import { SAMPLE, SAMPLE_FILES } from "../support/sample-register.ts";

jest.setTimeout(1_200_000);

const [PORT, OTHER] = [await findFreePort(), await findFreePort()];
const operator = openOperator({ [PORT]: "8080", [OTHER]: "8081" });
afterAll(() => operator.close(), 120_000);
const { folder } = operator;

const UPDATE = `${SAMPLE}/officers/Prod198_4322.dat`;
/** The first line that the load of a sample file shows. */
const SAMPLE_LINE = /^HERE\/test\/fixtures\/register\/(\S+): [\d,]+ rows read as \S+\n/gm;
const READY = "Press Ctrl-C to stop";

let demo: Typed;

/** Types a command and returns what it has shown; throws unless it ends with this code. */
async function cli(
  args: string[],
  exitCode = 0,
  settings: Record<string, string> = { PORT },
): Promise<string> {
  const typed = operator.type("cli", args, settings);
  const ended = await typed.ended;
  if (ended !== exitCode) throw new Error(`${args.join(" ")} ended with ${ended}:\n${typed.read()}`);
  return typed.readPlain();
}

async function startDemo(port: string): Promise<Typed> {
  const started = operator.type("demo", [], { PORT: port });
  await started.waitFor(READY);
  return started;
}

/** Id of the latest load. */
async function latestLoad(): Promise<string> {
  const typed = operator.type("cli", ["loads", "list", "--limit", "1", "--json"], { PORT });
  await typed.ended;
  return /"_id":"([^"]+)"/.exec(typed.read())?.[1] ?? "";
}

async function get(path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, { headers: basic("demo-key") });
  return `${answer.status} ${await answer.text()}`;
}

const [header = "", ...ROWS] = readLines(writeEdition(folder, "sample.csv", () => true));
const numberOf = (row = "") => /"([A-Z0-9]{8})"/.exec(row)?.[1] ?? "";
const rename = (row: string, name: string) => row.replace(/^"(?:[^"]|"")*"/, `"${name}"`);
const writeCompanies = (name: string, rows: readonly string[]) =>
  writeFile(folder, name, [header, ...rows, ""].join("\r\n"));
/** Removes the tenth company, renames the sixth, and damages the number of the eighth. */
const changeSome = (row: string, at: number) =>
  at === 9
    ? []
    : at === 5
      ? rename(row, "RENAMED LIMITED")
      : at === 7
        ? row.replace(numberOf(row), "9.9E+07")
        : row;

it("says what to do when no demo and no store is running", async () => {
  const nowhere = { MONGODB_URL: "mongodb://127.0.0.1:1" };
  expect(await cli(["applications", "list"], 1, nowhere)).toMatchInlineSnapshot(`
   "No demo of this checkout is running: using the stores at ELASTICSEARCH_URL, MONGODB_URL and REDIS_URL, by default on this machine.
   mongodb is not available: connect ECONNREFUSED 127.0.0.1:1. Is it running? Its address is the setting MONGODB_URL; 'npm run demo' starts all three stores."
  `);
});

it("starts the demo", async () => {
  demo = await startDemo(PORT);
  const shown = demo.readPlain();
  expect([...shown.matchAll(SAMPLE_LINE)].map(([, file]) => file)).toEqual(SAMPLE_FILES);
  expect(shown.replace(SAMPLE_LINE, "")).toMatchInlineSnapshot(`
   "  loading the sample register
   read      1,181 rows in TIME
   written   896
   unchanged 34
   refused   0
   skipped   251 (lines without a record of their own)
   1. A company by its number
      curl -u demo-key: 'http://127.0.0.1:8080/company/99000064'
   2. Companies called "leading zeros sample", best first
      curl -u demo-key: 'http://127.0.0.1:8080/search/companies?q=leading+zeros+sample'
   3. All appointments of the first officer of 99000064
      curl -u demo-key: 'http://127.0.0.1:8080/officers/6_RZUrhNy_2Y-w4TdLBaSQQTm38/appointments'
   The register is at http://127.0.0.1:8080: search it in a browser.
   The API is at the same address (user demo-key, no password); http://127.0.0.1:8080/docs explains it.
   The event streams are at http://streams.localhost:8080 (user demo-stream-key, no password).
   Load files with npm run cli -- load FILE; npm run cli -- --help lists the other commands.
   The data stays for the next demo on this port, in FOLDER/cache/demos/8080. PORT=8080 npm run demo -- --fresh deletes it and starts over.
   Logs are in FOLDER/cache/runs/demo. Press Ctrl-C to stop."
  `);
});

it("undoes the load of a bad edition", async () => {
  const before = await get("/company/99000064");
  const names = ROWS.map((row, at) => rename(row, `WRONG ${at} LIMITED`));
  const bad = writeCompanies("BasicCompanyDataAsOneFile-2026-11-15.csv", names);
  expect(await cli(["load", bad])).toMatchInlineSnapshot(`
   "FOLDER/BasicCompanyDataAsOneFile-2026-11-15.csv: 200 rows read as company-csv
   read      200 rows in TIME
   written   200
   unchanged 0
   refused   0"
  `);
  expect(await get("/company/99000064")).not.toBe(before);
  const id = await latestLoad();
  expect(await cli(["loads", "undo", id], 1)).toMatchInlineSnapshot(
    `"Load LOAD of FOLDER/BasicCompanyDataAsOneFile-2026-11-15.csv will be undone: 200 records changed, 187 of them missing until they are restored. There is no terminal to ask on, so nothing was done; add --yes to agree"`,
  );
  const undo = operator.type("cli", ["loads", "undo", id, "--yes"], { PORT });
  await undo.ended;
  expect(undo.readPlain()).toMatchInlineSnapshot(`
   "undid load LOAD: 200 records changed, 187 of them missing until they are restored
   to restore the records, run these commands in this order:
   npm run cli -- load HERE/test/fixtures/register/companies/BasicCompanyDataAsOneFile-2026-11-01.zip HERE/test/fixtures/register/companies/dissolved-extract.csv HERE/test/fixtures/register/api-shaped/company-profile.jsonl --as-of MOMENT"
  `);
  for (const [, words = ""] of undo.read().matchAll(/^npm run cli -- (load .*)$/gm))
    expect(await cli(words.split(" "))).toMatch(/^refused {3}0$/m);
  expect(await get("/company/99000064")).toBe(before);
  expect(await cli(["loads", "show", id])).toMatchInlineSnapshot(`
   "LOAD: undone
   started   MOMENT
   ended     MOMENT
   undone    MOMENT
   file      FOLDER/BasicCompanyDataAsOneFile-2026-11-15.csv (company-csv, 200 rows, of 2026-11-15)
   read      200 rows in TIME
   written   200
   unchanged 0
   refused   0"
  `);
});

it("loads an edition with a refused row, mends the row, and removes what the edition lacks", async () => {
  const edition = writeCompanies("BasicCompanyDataAsOneFile-2026-12-01.csv", ROWS.flatMap(changeSome));
  expect(await cli(["load", edition, "--complete"], 1)).toMatchInlineSnapshot(`
   "FOLDER/BasicCompanyDataAsOneFile-2026-12-01.csv: 199 rows read as company-csv
   read      199 rows in TIME
   written   2
   unchanged 196
   refused   1
   refused: FOLDER/BasicCompanyDataAsOneFile-2026-12-01.csv, line 9: company_number: "9.9E+07" is not a company number
   all of them: npm run cli -- refused-rows list LOAD
   1 row was refused; the others were loaded. Nothing was removed, because records in refused rows would look missing. Run npm run cli -- refused-rows export LOAD --out FILE, mend the rows, then run load FILE --mends LOAD and load --resume LOAD. Or load a corrected edition, or remove what this one lacks anyway: npm run cli -- load --resume LOAD --force"
  `);
  const id = await latestLoad();
  expect(await cli(["refused-rows", "list"])).toMatchInlineSnapshot(`
   "LOAD: 1 refused row of FOLDER/BasicCompanyDataAsOneFile-2026-12-01.csv
             1 × company_number: "9.9E+07" is not a company number"
  `);
  const mended = join(folder, "mended.csv");
  expect(await cli(["refused-rows", "export", id, "--out", mended])).toMatchInlineSnapshot(`
   "FOLDER/mended.csv: 1 refused row of FOLDER/BasicCompanyDataAsOneFile-2026-12-01.csv
   when the rows are mended: npm run cli -- load FILE --mends LOAD"
  `);
  writeFileSync(mended, readFileSync(mended, "utf8").replace("9.9E+07", numberOf(ROWS[7])));
  expect(await cli(["load", mended, "--mends", id])).toMatchInlineSnapshot(`
   "FOLDER/mended.csv: 1 row read as company-csv
   read      1 row in TIME
   written   0
   unchanged 1
   refused   0
   mended    1 refused row of load LOAD, 0 left"
  `);
  expect(await cli(["load", "--resume", id])).toMatchInlineSnapshot(`
   "FOLDER/BasicCompanyDataAsOneFile-2026-12-01.csv: 199 rows read as company-csv
   read      199 rows in TIME
   written   2
   unchanged 197
   refused   0
   removed   1 (no longer in the edition)"
  `);
  expect(await get(`/company/${numberOf(ROWS[9])}`)).toMatch(/^404/);
});

it("loads daily updates, in their order", async () => {
  expect(await cli(["load", UPDATE])).toMatchInlineSnapshot(`
   "HERE/test/fixtures/register/officers/Prod198_4322.dat: 31 rows read as officers-update
   read      31 rows in TIME
   written   13
   removed   2
   unchanged 15
   refused   0
   skipped   1 (lines without a record of their own)"
  `);
  expect(await cli(["load", UPDATE])).toMatchInlineSnapshot(`
   "HERE/test/fixtures/register/officers/Prod198_4322.dat: run 4322 was applied before (the last run was 4322); only missing records are added
   HERE/test/fixtures/register/officers/Prod198_4322.dat: 31 rows read as officers-update
   read      31 rows in TIME
   written   0
   unchanged 30
   refused   0
   skipped   1 (lines without a record of their own)"
  `);
  const text = readFileSync(UPDATE, "utf8").replace("432220261102", "432420261104");
  const gap = writeFile(folder, "Prod198_4324.dat", text);
  expect(await cli(["load", gap], 1)).toMatchInlineSnapshot(
    `"FOLDER/Prod198_4324.dat is run 4324, and run 4323 is missing: load the missing runs first; loaded later, they would undo newer changes. With --force their changes stay missing until the next snapshot"`,
  );
  expect(await cli(["load", join(folder, "Prod198_4323.dat")], 1)).toMatchInlineSnapshot(
    `"FOLDER/Prod198_4323.dat cannot be read: there is no such file"`,
  );
});

it("loads a snapshot of the officers", async () => {
  const files = OFFICERS.map((path) => {
    const name = path
      .slice(path.lastIndexOf("/") + 1)
      .replace("_4321_", "_4330_")
      .replace("01112026", "12112026");
    const text = readFileSync(path, "utf8").replace("432120261101", "433020261112");
    return writeFile(folder, name, text.replace(/LEEDS</g, "DERBY<"));
  });
  expect(await cli(["load", ...files, "--complete"])).toMatchInlineSnapshot(`
   "FOLDER/Prod195_4330_ew_1_12112026010001.dat: 402 rows read as officers-snapshot
   FOLDER/Prod195_4330_sc_1_12112026010001.dat: 68 rows read as officers-snapshot
   FOLDER/Prod195_4330_ni_1_12112026010001.dat: 35 rows read as officers-snapshot
   read      505 rows in TIME
   written   56
   unchanged 275
   refused   0
   skipped   174 (lines without a record of their own)
   removed   6 (no longer in the edition)"
  `);
});

it("shows a large load that is running, cancels it, and continues it", async () => {
  const renumbered = (times: number) => (row: string, at: number) =>
    row.replace(numberOf(row), String(20_000_000 + 1_000 * times + at));
  const many = Array.from({ length: 1_000 }, (_none, times) => ROWS.map(renumbered(times)));
  const loading = operator.type("cli", ["load", writeCompanies("ours.csv", many.flat())], { PORT });
  await loading.waitFor(" of 200,000 rows");
  const status = await cli(["status"]);
  const withoutCounts = (text: string) => text.replace(/\b\d[\d,]*\b( %.*)?/g, "N");
  expect(withoutCounts(/^running loads\n(?: {2}.*\n)*/m.exec(status)?.[0] ?? "")).toMatchInlineSnapshot(`
   "running loads
     LOAD  FOLDER/ours.csv (company-csv)
       loading FOLDER/ours.csv: N of N rows, N
   "
  `);
  const id = await latestLoad();
  expect(withoutCounts(await cli(["loads", "cancel", id]))).toMatchInlineSnapshot(`
   "LOAD: failed
   started   MOMENT
   ended     MOMENT
   file      FOLDER/ours.csv (company-csv, N rows)
   read      N rows in TIME
   written   N
   unchanged N
   refused   N
   reason    stopped; batches that workers have begun are still written
   to continue it: npm run cli -- load --resume LOAD"
  `);
  expect(await loading.ended).toBe(1);
  expect(withoutCounts(loading.readPlain())).toMatchInlineSnapshot(`
   "cancelled by \`loads cancel\`
   read      N rows in TIME
   written   N
   unchanged N
   refused   N
   to continue where it stopped: npm run cli -- load --resume LOAD
   stopped; batches that workers have begun are still written"
  `);
  expect(await cli(["loads", "cancel", id], 1)).toMatchInlineSnapshot(
    `"the load LOAD has ended (failed): there is nothing to cancel"`,
  );
  expect(await cli(["load", "--resume", id])).toMatchInlineSnapshot(`
   "FOLDER/ours.csv: 200,000 rows read as company-csv
   read      200,000 rows in TIME
   written   200,000
   unchanged 0
   refused   0"
  `);
});

it("runs two demos at once", async () => {
  const other = operator.type("demo", [], { PORT: OTHER });
  await other.waitFor("Engines: ");
  expect(await cli(["loads", "list", "--limit", "1"], 0, {})).toMatchInlineSnapshot(
    `"LOAD  MOMENT  succeeded    200,000 rows  FOLDER/ours.csv"`,
  );
  await other.waitFor(READY);
  expect(await cli(["loads", "list", "--limit", "1"], 0, {})).toMatchInlineSnapshot(`
   "Using the demo on port 8081. Demos run on the ports 8080, 8081: set PORT to choose one, as in PORT=8080 npm run cli -- status.
   LOAD  MOMENT  succeeded    1,181 rows  HERE/test/fixtures/register/companies/BasicCompanyDataAsOneFile-2026-11-01.zip and 15 more"
  `);
  expect(await cli(["loads", "list", "--limit", "1"], 1, { PORT: "1" })).toMatchInlineSnapshot(
    `"Failed: No demo runs on port 1. Set PORT to that of a running demo: 8080, 8081."`,
  );
});

it("starts a worker again that has died", async () => {
  operator.killWorker(PORT);
  await demo.waitFor("The worker ended");
  expect(demo.readPlain().split("\n").at(-1)).toMatchInlineSnapshot(
    `"The worker ended with SIGKILL and was started again. Its log: FOLDER/cache/runs/demo/worker.log"`,
  );
});

it("stops the demo, starts it again, and finds all its data", async () => {
  const paths = [
    "/company/99000064",
    "/search/companies?q=renamed",
    "/coverage",
    "/company/99000001/officers",
  ];
  const look = async () => [await cli(["loads", "list"]), ...(await Promise.all(paths.map(get)))];
  const before = await look();
  demo.interrupt();
  await demo.ended;
  expect(demo.readPlain().split("\n").at(-1)).toMatchInlineSnapshot(`"Stopped."`);
  demo = await startDemo(PORT);
  expect(demo.readPlain()).toMatchInlineSnapshot(`
   "Using the data of earlier demos on this port, since TODAY. PORT=8080 npm run demo -- --fresh deletes it and starts over.
   The register is at http://127.0.0.1:8080: search it in a browser.
   The API is at the same address (user demo-key, no password); http://127.0.0.1:8080/docs explains it.
   The event streams are at http://streams.localhost:8080 (user demo-stream-key, no password).
   Load files with npm run cli -- load FILE; npm run cli -- --help lists the other commands.
   The data stays for the next demo on this port, in FOLDER/cache/demos/8080. PORT=8080 npm run demo -- --fresh deletes it and starts over.
   Logs are in FOLDER/cache/runs/demo. Press Ctrl-C to stop."
  `);
  expect(await look()).toEqual(before);
});
