/** The list of what the service needs of MongoDB: the suites report what it lacks, and what nobody sends. */
import { channel } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "@jest/globals";
import { BSONRegExp, Long, type Document } from "mongodb";
import { describeRun, describeUnknown } from "../../support/mongodb/check.ts";
import { NEEDED } from "../../support/mongodb/needs.ts";
import { notePartsOf } from "../../support/mongodb/parts.ts";
import { readLines, record, writeLine, type Line } from "../../support/mongodb/recorder.ts";
import { makeOwnFolder } from "../../support/own-folder.ts";

const SUITE = "test/engine/one.test.ts";
const folder = makeOwnFolder();
// What this process sends later is written to no file of these tests.
afterEach(() => void record(SUITE, undefined));

function partsOf(command: Document): string[] {
  const parts = new Set<string>();
  notePartsOf(command, (part) => parts.add(part));
  return [...parts];
}

/** Sends a command as the service's client does. */
function send(command: Document): void {
  channel("company-register:mongodb-command").publish(command);
}

it.each<[string, Document, string[]]>([
  [
    "a search",
    { find: "c", filter: { a: "x", b: { $in: ["y", /z/] } }, sort: { a: 1 }, limit: 1, $db: "d", lsid: {} },
    [
      ...["find", "find.filter", "query operator $in", "query operator $regex", "find.sort", "find.limit"],
      ...["any command.$db", "any command.lsid"],
    ],
  ],
  [
    "operators inside of others",
    { count: "c", query: { $or: [{ a: { $not: { $gt: 1 } } }, { b: new BSONRegExp("x") }], c: Long.ONE } },
    [
      ...["count", "count.query", "query operator $or", "query operator $not", "query operator $gt"],
      "query operator $regex",
    ],
  ],
  [
    "a bulk write, as the driver sends it and as it is on the wire",
    {
      update: "c",
      updates: { documents: [{ q: { _id: { $lt: 1 } }, u: { $push: { a: { $each: [1], $slice: 2 } } } }] },
      writeConcern: { j: true },
    },
    [
      ...["update", "update.updates", "update.updates.q", "query operator $lt", "update.updates.u"],
      ...["update operator $push", "update operator $each", "update operator $slice"],
      ...["update.writeConcern", "writeConcern.j"],
    ],
  ],
  [
    "what is stored, which may have any name",
    {
      update: "c",
      updates: [
        { q: {}, u: { $set: { a: { $b: 1 } } } },
        { q: {}, u: { a: { $b: 1 } } },
      ],
    },
    [
      ...["update", "update.updates", "update.updates.q", "update.updates.u", "update operator $set"],
      "update with a whole document",
    ],
  ],
  [
    "a pipeline",
    { aggregate: "c", pipeline: [{ $match: { a: { $ne: 1 } } }, { $group: { _id: 1, n: { $sum: 1 } } }] },
    [
      ...["aggregate", "aggregate.pipeline", "stage $match", "query operator $ne", "stage $group"],
      "expression $sum",
    ],
  ],
  [
    "an index",
    {
      createIndexes: "c",
      indexes: [{ key: new Map<string, unknown>([["a", 1]]), sparse: true }, { key: { b: "text" } }],
    },
    [
      ...[
        "createIndexes",
        "createIndexes.indexes",
        "createIndexes.indexes.key",
        "createIndexes.indexes.sparse",
      ],
      "index key text",
    ],
  ],
])("the parts of a command are named: %s", (_title, command, parts) => {
  expect(partsOf(command)).toEqual(parts);
});

it("an operator and an option that are not listed are reported with the suite and the command", () => {
  const sent = record(SUITE, undefined);
  send({
    find: "companies",
    filter: { name: { $regex: "^A" }, _id: { $gt: "1" } },
    hint: "name_1",
    $db: "d",
  });
  const [operator, option, ...others] = describeUnknown(sent);
  expect(operator).toContain(`${SUITE} sent MongoDB the command find with "query operator $regex"`);
  expect(option).toContain(`${SUITE} sent MongoDB the command find with "find.hint"`);
  expect(others).toEqual([]);
});

it("each process of a run records at once what it sends, each part once", () => {
  const file = join(folder, "run.jsonl");
  record(SUITE, file);
  send({ ping: 1, $db: "admin" });
  send({ ping: 1, $db: "admin" });
  expect(readLines(file)).toEqual([
    { suite: SUITE, part: "ping", command: "ping" },
    { suite: SUITE, part: "any command.$db", command: "ping" },
  ]);
  record("test/engine/other.test.ts", file);
  send({ ping: 1 });
  writeLine(file, { suite: SUITE });
  expect(readLines(file).slice(2)).toEqual([
    { suite: "test/engine/other.test.ts", part: "ping", command: "ping" },
    { suite: SUITE },
  ]);
});

it("a suite reports the unlisted parts that it sent; the last one also reports late ones of others, and listed parts that nobody sent", () => {
  const suites = [SUITE, "test/engine/two.test.ts"];
  const [first, ...most] = [...NEEDED].map((part): Line => ({ suite: SUITE, part, command: "find" }));
  const late: Line = { suite: SUITE, part: "stage $lookup", command: "aggregate" };
  const untilTwo = [...most, { suite: SUITE }, late];
  expect(describeRun("test/engine/two.test.ts", untilTwo, suites)).toEqual([]);
  const all = [...untilTwo, { suite: "test/engine/two.test.ts" }];
  expect(describeRun("test/engine/two.test.ts", all, suites)).toEqual([
    expect.stringContaining(`${SUITE} sent MongoDB the command aggregate with "stage $lookup"`),
    expect.stringContaining(`lists "${(first as { part: string }).part}", which no suite has sent`),
  ]);
});

it("the channel has the name under which the client publishes", () => {
  const client = readFileSync("api/shared/stores/mongodb/client.ts", "utf8");
  expect(client).toContain('channel("company-register:mongodb-command")');
});
