/** Which of the ids that are held an edition does not name, over many parts and buffers. */
import { existsSync } from "node:fs";
import { afterEach, expect, it } from "@jest/globals";
import { IdDifference } from "../../../ingest/load/id-difference.ts";

const open: IdDifference[] = [];
afterEach(async () => {
  for (const ids of open.splice(0)) await ids.remove();
});

function openIds(about?: number): IdDifference {
  const ids = new IdDifference(about);
  open.push(ids);
  return ids;
}

async function lackingOf(ids: IdDifference): Promise<string[]> {
  const found: string[] = [];
  for await (const records of ids.lacking())
    for (const { collection, id } of records) found.push(`${collection}/${id}`);
  return found.sort();
}

it.each([
  ["very many", undefined],
  ["few", 5],
  ["none", 0],
])(
  "finds stored ids that are not named, as often as it is called, where %s are expected",
  async (_what, about) => {
    const ids = openIds(about);
    ids.name({ companies: ["1", "2", "2"], persons: ["3"] });
    ids.name({ companies: ["5"] });
    for (const id of ["1", "3", "4", "é"]) ids.hold({ collection: "companies", id });
    ids.hold({ collection: "persons", id: "3" });
    const lacking = ["companies/3", "companies/4", "companies/é"];
    expect(await ids.countLacking()).toBe(3);
    expect(await lackingOf(ids)).toEqual(lacking);
    expect(await lackingOf(ids)).toEqual(lacking);
  },
);

it("finds none when nothing is stored, and all when nothing is named", async () => {
  const ids = openIds();
  expect(await ids.countLacking()).toBe(0);
  ids.hold({ collection: "companies", id: "1" });
  expect(await lackingOf(ids)).toEqual(["companies/1"]);
});

it("finds each of many, in the order of neither side", async () => {
  const ids = openIds();
  const count = 100_000;
  const idAt = (at: number) => `${String(at).padStart(8, "0")}-${(at * 7_919) % 1_000_003}`;
  for (let at = 0; at < count; at += 1_000) {
    const some = Array.from({ length: 1_000 }, (_, step) => at + step).filter((one) => one % 1_000 !== 7);
    ids.name({ appointments: some.map(idAt) });
  }
  for (let at = count - 1; at >= 0; at -= 1) ids.hold({ collection: "appointments", id: idAt(at) });
  const expected = Array.from({ length: count / 1_000 }, (_, at) => `appointments/${idAt(at * 1_000 + 7)}`);
  expect(await lackingOf(ids)).toEqual(expected.sort());
});

it("leaves no file behind", async () => {
  const ids = openIds();
  ids.hold({ collection: "companies", id: "1" });
  await ids.countLacking();
  expect(ids.folders.map((folder) => existsSync(folder))).toEqual([true, true]);
  await ids.remove();
  expect(ids.folders.map((folder) => existsSync(folder))).toEqual([false, false]);
});
