/** The `match` command on small tables: its output, and how an interrupted run continues. */
import { beforeAll, describe, expect, it, jest } from "@jest/globals";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import type { CommandContext } from "../../ingest/commands/define-command.ts";
import { matchCommand } from "../../scripts/commands/match.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister } from "../support/register.ts";
import { writeLines } from "../support/search-register.ts";
import { waitUntil } from "../support/wait-until.ts";

const LEEDS = { address_line_1: "1 Invented Row", locality: "LEEDS", postal_code: "LS1 1ZZ" };
const folder = makeOwnFolder();
const register = forAllTests(() => openRegister({ withWorker: false }));
let files = 0;
beforeAll(async () => {
  const born = { month: 5, year: 1962 };
  const person = { forename: "Ignatius", other_forenames: "", surname: "Brightquene", date_of_birth: born };
  const moved = { ...person, forename: "Hermia", surname: "Quarldale" };
  await writeLines(register.stores.elasticsearch, [
    { company_name: "TARNWICK PRESS LIMITED", company_number: "00912345", registered_office_address: LEEDS },
    { company_name: "QUILLORY & SONS LTD", company_number: "00000042" },
    { company_name: "HALDENROOK BAKERY LTD", company_number: "00000051" },
    { company_name: "HALDENROOK BAKERY LLP", company_number: "OC000051" },
    { company_name: "=CMD HOLDINGS LTD", company_number: "00000061" },
    { company_name: "＝WIDESTONE HOLDINGS LTD", company_number: "00000062" },
    { officer_id: "OF1", ...person },
    { officer_id: "DQ1", ...person, disqualified_until: "2099-01-01" },
    { officer_id: "DQ2", ...moved, address: LEEDS, disqualified_until: "2099-01-01" },
    { officer_id: "-F3", ...moved },
    { officer_id: "OF2", forename: "Odile", other_forenames: "", surname: "Tarrow", date_of_birth: born },
  ]);
});

function write(content: string | Buffer, name = `list-${(files += 1)}.csv`): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const match = (path: string, options: Record<string, string> = {}, isStopping = () => false) =>
  register.run(matchCommand, [path], { name: "Customer", ...options }, isStopping);

function rowsOf(content: Buffer | string, delimiter = ","): Record<string, string>[] {
  return parse(content, { columns: true, delimiter });
}

describe("a list of companies", () => {
  it("gets number, name, status, score, decision and reasons beside its own columns", async () => {
    const list = 'Customer,Note\r\nTarnwick Press Ltd,a\r\nhaldenrook bakery,b\r\nNobody At All,"c, d"\r\n';
    const { exitCode, written, messages } = await match(write(list));
    expect(exitCode).toBe(0);
    expect(rowsOf(written)).toMatchObject([
      {
        Customer: "Tarnwick Press Ltd",
        Note: "a",
        register_number: "00912345",
        register_name: "TARNWICK PRESS LIMITED",
        register_status: "active",
        register_score: "94",
        register_match: "yes",
        register_why: "same name",
      },
      {
        register_match: "no",
        register_why: expect.stringMatching(/as likely: HALDENROOK BAKERY L/),
      },
      { Note: "c, d", register_number: "", register_match: "no", register_why: "nothing found" },
    ]);
    expect(messages.join("\n")).toMatch(/matched +1 of 3 rows in .*rows\/s/);
  });

  it("uses number, postcode and town from the columns that the options name", async () => {
    const list =
      "Customer;No;Post;Town\nTarnwick Press;912345;;\nTarnwick Press;;ls11zz;Leeds\nTarnwick Press;;;York\nQuillory;912345;;\n;42;;\n";
    const { written } = await match(write(list), { number: "No", postcode: "Post", town: "Town" });
    const rows = rowsOf(written, ";");
    expect(rows.map((row) => [row.register_number, row.register_match, row.register_score])).toEqual([
      ["00912345", "yes", "100"],
      ["00912345", "yes", expect.stringMatching(/^9[5-9]/)],
      ["00912345", "no", expect.stringMatching(/^[78]/)],
      [expect.any(String), "no", expect.any(String)],
      ["00000042", "yes", "100"],
    ]);
    expect(rows[2]?.register_why).toBe(
      "same name, one without its legal ending; town differs: the register has another address",
    );
    expect(rows[3]?.register_why).toMatch(/number/);
  });

  it("may be gzip, Latin-1 or tab-separated, with a byte order mark or line breaks in cells", async () => {
    const tabs = await match(write(gzipSync("\ufeffCustomer\tNote\nQuillory and Sons\tx\n"), "list.csv.gz"));
    expect(rowsOf(tabs.written, "\t")).toMatchObject([{ register_number: "00000042", Note: "x" }]);
    // Latin-1 with characters that only Windows-1252 has: €, ’ and –.
    const bytes = Buffer.from("Customer\nTärnwick Press Ltd\n\x80 Quillory\x92s \x96\n", "latin1");
    const latin = await match(write(bytes), { encoding: "latin1" });
    expect(rowsOf(latin.written)).toMatchObject([
      { Customer: "Tärnwick Press Ltd", register_match: "yes" },
      { Customer: "€ Quillory’s –" },
    ]);
    const broken = await match(write('Customer,Note\nQuillory & Sons Ltd,"two\nlines"\n'));
    expect(rowsOf(broken.written)).toMatchObject([{ Note: "two\nlines", register_match: "yes" }]);
    const Note = "a line\n".repeat(100);
    const long = await match(write(`Customer,Note\nQuillory & Sons Ltd,"${Note}"\nTarnwick Press,b\n`));
    expect(rowsOf(long.written)).toMatchObject([{ Note, register_match: "yes" }, { Note: "b" }]);
  });

  it("gets bad rows back with the reason, and exit code 2", async () => {
    const bytes = Buffer.concat([
      Buffer.from("Customer,Note\nTarnwick Press Ltd,a\nToo,many,cells\nOne\n"),
      Buffer.from([0x41, 0xff, 0x2c, 0x42, 0x0a]),
      Buffer.from(`Quillory & Sons Ltd,b\n${"x".repeat(200)},c\n`),
    ]);
    const { exitCode, written } = await match(write(bytes));
    expect(exitCode).toBe(2);
    const rows = rowsOf(written);
    expect(rows.map((row) => row.register_match)).toEqual(["yes", "", "", "", "yes", "no"]);
    expect(rows.map((row) => row.register_why)).toEqual([
      "same name",
      "line 3 has 3 cells, the header 2; left out: cells",
      "line 4 has 1 cell, the header 2",
      "line 5 contains bytes that are not UTF-8; if the whole file is Latin-1, use --encoding latin1",
      "same name",
      "nothing found; the name is longer than 160 characters",
    ]);
  });

  it("gets no cell that a spreadsheet would run as a formula", async () => {
    const { written } = await match(write("Customer\ncmd holdings ltd\nwidestone holdings ltd\n"));
    expect(rowsOf(written)).toMatchObject([
      { register_name: "'=CMD HOLDINGS LTD" },
      { register_name: "'＝WIDESTONE HOLDINGS LTD" },
    ]);
  });
});

it("shows progress as matched rows of all rows, not as bytes read", async () => {
  const shown: string[] = [];
  const written = jest
    .spyOn(process.stderr, "write")
    .mockImplementation((text) => shown.push(String(text)) > 0);
  const hasProgress = () => Promise.resolve(shown.some((line) => line.includes(" rows")));
  const { stores, config } = register;
  const search: typeof stores.elasticsearch.search = async (...given) => {
    await waitUntil(hasProgress, "the progress is shown");
    return stores.elasticsearch.search(...given);
  };
  const waiting = { ...stores, elasticsearch: { ...stores.elasticsearch, search } };
  const context: CommandContext = {
    ...{ config, openStores: () => waiting, print: () => undefined, write: () => undefined },
    ...{ tell: () => undefined, ask: () => Promise.resolve(null), isTerminal: true, isStopping: () => false },
  };
  const list = write(`Customer\n\n${"Tarnwick Press Ltd\n".repeat(60)}`);
  await matchCommand.run(context, [list], { name: "Customer" }).finally(() => written.mockRestore());
  expect(shown[0]).toMatch(/: 0 of 60 rows, 0 %/);
});

describe("a list of people", () => {
  it("is matched where the date of birth agrees, with a flag for likely disqualifications", async () => {
    const list =
      "Customer,Born\nBrightquene Ignatius,May 1962\nIgnatius Brightquene,\nIgnatius Brightquene,1970-01\nOdile Tarrow,12/05/1962\n";
    const { written, messages } = await match(write(list), { type: "officer", birthDate: "Born" });
    const rows = rowsOf(written);
    expect(rows.map((row) => [row.register_id, row.register_match, row.register_disqualified])).toEqual([
      ["OF1", "yes", "likely"],
      ["OF1", "no", "possible"],
      ["OF1", "no", ""],
      ["OF2", "yes", ""],
    ]);
    expect(rows[0]?.register_disqualified_id).toBe("DQ1");
    expect(messages.join("\n")).toMatch(/flagged +2 /);
  });

  it("flags a possibly disqualified person who has moved, and gives the API's identifiers unchanged", async () => {
    const list = "Customer,Born,Post\nHermia Quarldale,May 1962,LS2 2ZZ\nHermia Quarldale,,LS2 2ZZ\nHermia Quarldale,1970-01,LS2 2ZZ\n"; // oxfmt-ignore
    const options = { type: "officer", birthDate: "Born", postcode: "Post" };
    const rows = rowsOf((await match(write(list), options)).written);
    expect(rows.map((row) => row.register_disqualified)).toEqual(["possible", "possible", ""]);
    expect(rows[0]).toMatchObject({ register_id: "-F3", register_disqualified_id: "DQ2" });
  });

  it("can be matched against disqualified officers alone", async () => {
    const options = { type: "disqualified-officer", birthDate: "Born" };
    const { written } = await match(write("Customer,Born\nI. Brightquene,1962-05-12\n"), options);
    expect(rowsOf(written)).toMatchObject([
      {
        register_id: "DQ1",
        register_status: "disqualified until 2099-01-01",
        register_disqualified: "likely",
      },
    ]);
  });
});

describe("an interrupted run", () => {
  const lines = Array.from({ length: 230 }, (_, at) => `Tarnwick Press Ltd,"row ""${at}""\n x"`);
  const list = () => write(`Customer,Note\n${lines.join("\n")}\n`);

  it("continues after the last whole row, wherever the output was cut", async () => {
    const path = list();
    const whole = join(folder, "whole.csv");
    const cut = join(folder, "cut.csv");
    expect((await match(path, { output: whole })).exitCode).toBe(0);
    const bytes = readFileSync(whole);
    for (const length of [bytes.length - 7, 5_000, 300, 40, 0]) {
      writeFileSync(cut, bytes);
      truncateSync(cut, length);
      const { exitCode, error, printed } = await match(path, { output: cut, resume: "true", json: "true" });
      expect([exitCode, error]).toEqual([0, undefined]);
      expect(readFileSync(cut)).toEqual(bytes);
      const { rows, rows_before } = JSON.parse(printed[0] ?? "") as Record<string, number>;
      expect((rows ?? 0) + (rows_before ?? 0)).toBe(lines.length);
    }
  });

  it("stops between batches when asked, and says how to continue", async () => {
    const [path, output] = [list(), join(folder, "stopped.csv")];
    let looks = 0;
    const stopped = await match(path, { output }, () => (looks += 1) > 2);
    expect(stopped.exitCode).toBe(1);
    expect(stopped.messages.join("\n")).toContain(`--resume continues ${output}`);
    expect(rowsOf(readFileSync(output))).toHaveLength(100);
    expect((await match(path, { output, resume: "true" })).exitCode).toBe(0);
    expect(rowsOf(readFileSync(output)).map(({ Note }) => Note)).toEqual(
      lines.map((_, at) => `row "${at}"\n x`),
    );
  });

  it("does not touch a file that it has not written, or whose line ends have changed", async () => {
    const path = list();
    const output = join(folder, "converted.csv");
    await match(path, { output });
    writeFileSync(output, readFileSync(output, "utf8").replaceAll("\r\n", "\n"));
    for (const foreign of [write("Customer\nQuillory\n"), output]) {
      const before = readFileSync(foreign, "utf8");
      const { error } = await match(path, { output: foreign, resume: "true" });
      expect(error?.message).toMatch(/has other columns or line ends/);
      expect(readFileSync(foreign, "utf8")).toBe(before);
    }
  });

  it("continues neither another list's output nor one with other columns", async () => {
    const output = join(folder, "other.csv");
    await match(write("Customer,Note\nQuillory & Sons Ltd,a\n"), { output });
    const other = await match(list(), { output, resume: "true" });
    expect(other.error?.message).toMatch(/not line 2 of the table: it belongs to another table/);
    const columns = await match(write("Customer\nQuillory\n"), { output, resume: "true" });
    expect(columns.error?.message).toMatch(/has other columns/);
  });
});

describe("a call that cannot be carried out", () => {
  it.each([
    ["a missing column", "Name,Town\nx,y\n", {}, /has no column "Customer"; it has "Name", "Town"/],
    ["two columns of one name", "Customer,Customer\nx,y\n", {}, /two columns "Customer"/],
    [
      "a column named like one that the command adds",
      "Customer,register_match\nx,y\n",
      {},
      /already has a column register_match/,
    ],
    ["--resume without --output", "Customer\nx\n", { resume: "true" }, /--resume needs --output/],
    ["an empty table", "\n\n", {}, /has no header/],
    ["an empty file", "", {}, /\.csv cannot be read: it is empty$/],
    [
      "dates of birth for companies",
      "Customer,Born\nx,1962\n",
      { birthDate: "Born" },
      /^--birth-date is for people: add --type officer, or --type disqualified-officer$/,
    ],
    ["UTF-16", Buffer.from("\ufeffCustomer\nx\n", "utf16le"), {}, /line 1: the header .*the file is UTF-16/],
  ] as const)("fails with a message that names the problem: %s", async (_title, list, options, message) => {
    const { error } = await match(write(list), options);
    expect(error?.message).toMatch(message);
  });

  it("does not overwrite a file", async () => {
    const output = write("kept");
    const { error } = await match(write("Customer\nx\n"), { output });
    expect(error?.message).toMatch(/already exists: continue it with --resume/);
    expect(readFileSync(output, "utf8")).toBe("kept");
  });
});
