/** A register that follows the event streams of another one has the same records. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { deriveAppointmentKey } from "../../api/resources/officer-appointment/identity.ts";
import { streams } from "../../api/streams/streams.ts";
import { follow, waitUntil } from "../support/followed-servers.ts";
import { hashResources } from "../support/faults/stream-readers.ts";
import { load, writeEdition, writeFile } from "../support/load-command.ts";
import { UPDATE, writeSnapshots } from "../support/officers-update.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { SAMPLE, SAMPLE_FILES } from "../support/sample-register.ts";
import { openStreams, STREAM_KEY, type TestStreams } from "../support/streams.ts";

const NAMES = streams.map(({ name }) => name);
const folder = makeOwnFolder();

/** The sample's companies and officers that the streams and the daily update name, and its other files whole. */
function writeSome(): string[] {
  const events = NAMES.map((name) => readFileSync(`${SAMPLE}/streams/${name}.ndjson`, "utf8")).join("");
  const companies = new Set(events.match(/(?<="resource_uri":"\/company\/)\w+/g));
  const isNamed = (row: string) => companies.has(/"([A-Z0-9]{8})"/.exec(row)?.[1] ?? "");
  const others = SAMPLE_FILES.filter((file) => /^(psc|disqualified|api-shaped)/.test(file));
  return [
    writeEdition(folder, "BasicCompanyDataAsOneFile-2026-11-01.csv", isNamed),
    ...writeSnapshots(folder, companies),
    ...others.map((file) => `${SAMPLE}/${file}`),
  ];
}

let followed: TestRegister;
let register: TestRegister;
let out: TestStreams;
beforeAll(async () => {
  [followed, register] = await Promise.all([openRegister(), openRegister()]);
  const files = writeSome();
  for (const one of [followed, register]) expect(await load(one, files)).toMatchObject({ exitCode: 0 });
  out = await openStreams(followed);
});
afterAll(async () => {
  await out.close();
  await Promise.all([followed.close(), register.close()]);
});

const options = (more: Record<string, string> = {}) => ({ from: out.base, key: STREAM_KEY, ...more });
const fetchHashes = async ({ stores }: TestRegister, name: string) =>
  [...(await hashResources(stores, name, { withLinks: true }))].toSorted();
const isEqual = async (name: string) => {
  const [stored, wanted] = await Promise.all([fetchHashes(register, name), fetchHashes(followed, name)]);
  return JSON.stringify(stored) === JSON.stringify(wanted);
};
const waitForEach = async (names: readonly string[]) => {
  for (const name of names) await waitUntil(() => isEqual(name));
};
// Not an error here: the comparison that follows shows what is missing.
const waitFor = (names = NAMES) => waitForEach(names).catch(() => undefined);
const expectEqual = async () => {
  for (const name of NAMES)
    expect([name, await fetchHashes(register, name)]).toEqual([name, await fetchHashes(followed, name)]);
};
const loadFollowed = async (...files: string[]) => {
  const { error } = await load(followed, files);
  expect(error).toBeUndefined();
};

it("the following register has the same records after a daily update and events of all nine streams", async () => {
  const run = await follow(register, [], options({ timepoint: "0" }), async () => {
    await loadFollowed(`${SAMPLE}/${UPDATE}`);
    await loadFollowed(...NAMES.map((name) => `${SAMPLE}/streams/${name}.ndjson`));
    await waitFor();
  });
  expect([run.error, run.exitCode]).toEqual([undefined, 0]);
  await expectEqual();
}, 180_000);

it("the following register continues where it stopped, across a restart of the other register", async () => {
  await loadFollowed(writeDeletions());
  const { port } = new URL(out.base);
  const run = await follow(register, [], options(), async () => {
    await out.close();
    await sleep(1_000);
    out = await openStreams(followed, {}, Number(port));
    await waitFor();
  });
  expect(run.messages).toContainEqual(
    expect.stringMatching(/connection.* could not be opened.*connecting again in/),
  );
  await expectEqual();
}, 180_000);

it("the following register has no record at a former address once the record is deleted", async () => {
  const identity = { company_number: "99000001", person_number: "555555550001", officer_role: "director" };
  const derived = deriveAppointmentKey({ ...identity, appointed_on: "2020-01-01" });
  const real = "moved-appointment".padEnd(27, "-");
  const state = (id: string, event?: object) => {
    const uri = `/company/99000001/appointments/${id}`;
    const officer = { appointments: `/officers/${"moved-officer".padEnd(27, "-")}/appointments` };
    const data = {
      ...{ name: "MOVED, Una", officer_role: "director", appointed_on: "2020-01-01" },
      ...{ person_number: identity.person_number, links: { self: uri, officer } },
    };
    const resource = { resource_kind: "company-officers", resource_uri: uri, resource_id: id, data };
    return loadFollowed(writeLines([event ? { ...resource, event } : resource]));
  };
  const changed = { timepoint: 1, published_at: "2026-11-21T10:00:01", type: "changed" };
  const deleted = { timepoint: 2, published_at: "2026-11-21T10:00:02", type: "deleted" };
  const run = await follow(register, ["officers"], options(), async () => {
    for (const step of [() => state(derived), () => state(real, changed), () => state(real, deleted)]) {
      await step();
      await waitFor(["officers"]);
    }
    await waitFor();
  });
  expect(run.error).toBeUndefined();
  await expectEqual();
}, 180_000);

/** Writes events that delete everything that the sample streams state; returns the file's path. */
function writeDeletions(): string {
  const lines = NAMES.flatMap((name) =>
    readFileSync(`${SAMPLE}/streams/${name}.ndjson`, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== ""),
  );
  const deletions = lines.map((line) => {
    const { event, ...resource } = JSON.parse(line) as { event: { timepoint: number } };
    const stamp = {
      timepoint: event.timepoint + 1_000_000,
      published_at: "2026-11-20T10:00:00",
      type: "deleted",
    };
    return { ...resource, data: {}, event: stamp };
  });
  return writeLines(deletions);
}

function writeLines(lines: readonly object[]): string {
  return writeFile(folder, "lines.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
