/** The contract cases are sent to a register with these files: each kind of record needs rows in one of them. */
import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { records } from "../../../api/resources/index.ts";
import { recogniseSource } from "../../../ingest/load/open-file.ts";
import { sources } from "../../../ingest/sources/index.ts";
import { SAMPLE, SAMPLE_FILES } from "../../support/sample-register.ts";

/** The names of the kinds of record in a file. */
function kindsIn(file: string): string[] {
  const lines = readFileSync(`${SAMPLE}/${file}`, "utf8").split(/\r?\n/);
  const { fills } = recogniseSource(sources, file.split("/").at(-1) ?? "", lines[0] ?? "");
  const kinds = typeof fills === "function" ? lines.map(fills) : fills;
  return kinds.flatMap((kind) => kind?.name ?? []);
}

it("the sample register has every kind of record", () => {
  const kinds = new Set(SAMPLE_FILES.filter((file) => !file.endsWith(".zip")).flatMap(kindsIn));
  const remedies = records
    .filter(({ name }) => !kinds.has(name))
    .map(
      ({ name }) =>
        `Name a file with rows of ${name}, below test/fixtures/register, in test/contract/register.json`,
    );
  expect(remedies).toEqual([]);
});
