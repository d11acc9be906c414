import { describe, expect, it } from "@jest/globals";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { format } from "oxfmt";
import { settings, type Setting } from "../../api/shared/settings/settings.ts";
import { resources } from "../../api/resources/index.ts";
import { downloads, searches } from "../../api/search/index.ts";
import { LOWEST_MONGODB } from "../../scripts/doctor/engines.ts";
import * as mongodb from "../support/mongodb/needs.ts";

const README = "README.md";
const FOLDER = "scripts/docs";
const pages = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".md"))
  .map((name) => join(FOLDER, name));

const endpointTable = [
  "| path | answer |",
  "| --- | --- |",
  ...[...resources, ...searches, ...downloads].map(
    ({ path, summary }) => `| \`${path.replace(/:(\w+)/g, "{$1}")}\` | ${summary} |`,
  ),
].join("\n");

const settingTable = [
  "| setting | default | meaning |",
  "| --- | --- | --- |",
  ...Object.entries(settings as Record<string, Setting>).map(
    ([name, setting]) =>
      `| \`${name}\` | ${setting.default === "" ? "" : `\`${setting.default}\``} | ${setting.help} |`,
  ),
].join("\n");

const linkOf = (text: string, page: string) => `[${text}](${mongodb.addressOf(page)})`;
const codeOf = (words = "") => words.replace(/\S+/g, "`$&`");

const mongodbCommandTable = [
  "| command | sent for | with | right |",
  "| --- | --- | --- | --- |",
  ...Object.entries(mongodb.COMMANDS)
    .filter(([, { by }]) => by !== "tests")
    .map(([name, { use, members, right }]) => [
      linkOf(`\`${name}\``, mongodb.pageOf(name)),
      ...[use, codeOf(members), codeOf(right)],
    ])
    .map((cells) => `| ${cells.join(" | ")} |`),
].join("\n");

const mongodbOperatorTable = [
  "| part of a command | used for |",
  "| --- | --- |",
  ...Object.entries({
    ...mongodb.OPERATORS,
    ...Object.fromEntries(
      Object.entries(mongodb.MEMBERS_OF_ANY).map(([name, need]) => [`member ${name}`, need]),
    ),
  }).map(
    ([part, { use, page }]) =>
      `| ${linkOf(part.replace(/\$\w+|\w+\.\w+|lsid|txnNumber/, "`$&`"), page)} | ${use} |`,
  ),
].join("\n");

const mongodbErrorTable = [
  "| error | the service |",
  "| --- | --- |",
  ...mongodb.ERRORS.map(({ codes, does }) => {
    const names = Object.entries(codes).map(([name, code]) => `${name} (${code})`);
    return `| ${names.join(", ")} | ${does} |`;
  }),
].join("\n");

const mongodbPromiseTable = [
  "| MongoDB's promise | needed for | source |",
  "| --- | --- | --- |",
  ...mongodb.PROMISES.map(({ promise, use, page }) => `| ${promise} | ${use} | ${linkOf("manual", page)} |`),
].join("\n");

describe("the generated tables", () => {
  it.each([
    ["endpoints", "calling.md", endpointTable],
    ["settings", "settings.md", settingTable],
    ["commands", "mongodb.md", mongodbCommandTable],
    ["operators", "mongodb.md", mongodbOperatorTable],
    ["errors", "mongodb.md", mongodbErrorTable],
    ["promises", "mongodb.md", mongodbPromiseTable],
  ])("of %s in %s are those of the code (UPDATE=1 rewrites them)", async (mark, file, table) => {
    const path = join(FOLDER, file);
    const page = readFileSync(path, "utf8");
    const filled = page.replace(
      new RegExp(`(<!-- ${mark}[^>]*-->\n)[^]*?(<!-- /${mark} -->)`),
      (_all, start: string, end: string) => `${start}\n${table}\n\n${end}`,
    );
    const { code: expected } = await format(path, filled, { printWidth: 110 });
    if (process.env.UPDATE === "1") writeFileSync(path, expected);
    else expect(page).toBe(expected);
  });
});

it("the page on MongoDB names the version that doctor asks for, and the manuals that the list was compared with", () => {
  const page = readFileSync(join(FOLDER, "mongodb.md"), "utf8");
  expect(page).toContain(`MongoDB ${LOWEST_MONGODB.join(".")} or newer`);
  expect(page).toContain(`manuals of ${mongodb.VERSIONS.join(" and ")}`);
});

interface Link {
  /** Path of the file or folder that is linked. */
  target: string;
  /** The heading after `#`, if any. */
  heading: string | undefined;
}

/** Links to files of this repository; examples in code do not count. */
function readLinks(page: string): Link[] {
  const text = readFileSync(page, "utf8").replace(/^```[^]*?^```/gm, "");
  const addresses = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address = ""]) => address);
  return addresses
    .filter((address) => !/^[a-z]+:/.test(address))
    .map((address) => {
      const [path = "", heading] = address.split("#");
      return { target: path === "" ? page : normalize(join(dirname(page), path)), heading };
    });
}

/** The names by which headings can be linked, as GitHub makes them. */
function readHeadings(page: string): string[] {
  return [...readFileSync(page, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("the README", () => {
  const lines = readFileSync(README, "utf8").trimEnd().split("\n");

  it("has at most 100 lines of at most 120 characters", () => {
    expect(lines.length).toBeLessThanOrEqual(100);
    expect(lines.filter((line) => line.length > 120)).toEqual([]);
  });

  it("links every page", () => {
    const linked = readLinks(README).map(({ target }) => target);
    expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
  });
});

const documents = [README, "CONTRIBUTING.md", "CHANGELOG.md", ...pages];

// Code with such marks does not compile. In a page, the formatter puts spaces between the signs.
it.each(documents)("%s has no marks of an unfinished merge", (page) => {
  expect(readFileSync(page, "utf8")).not.toMatch(/^(<{7}|(> ?){7})/m);
});

it.each(documents)("%s links only to what exists", (page) => {
  const broken = readLinks(page).filter(
    ({ target, heading }) =>
      !existsSync(target) || (heading !== undefined && !readHeadings(target).includes(heading)),
  );
  expect(broken).toEqual([]);
});
