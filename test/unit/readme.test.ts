import { expect, it } from "@jest/globals";
import { readFileSync, writeFileSync } from "node:fs";
import { format } from "prettier";
import { settings, type Setting } from "../../api/core/settings.ts";
import { resources } from "../../api/resources/index.ts";
import { downloads, searches } from "../../api/search/index.ts";

/** Replaces what stands between the two marks of a name. */
function fill(page: string, name: string, content: string): string {
  return page.replace(
    new RegExp(`(<!-- ${name}[^>]*-->\n)[^]*?(<!-- /${name} -->)`),
    (_all, start: string, end: string) => `${start}\n${content}\n\n${end}`,
  );
}

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

it("holds the endpoints and settings of the code (UPDATE=1 rewrites it)", async () => {
  const page = readFileSync("README.md", "utf8");
  const filled = fill(fill(page, "endpoints", endpointTable), "settings", settingTable);
  const expected = await format(filled, { parser: "markdown", printWidth: 110 });
  if (process.env.UPDATE === "1") writeFileSync("README.md", expected);
  else expect(page).toBe(expected);
});
