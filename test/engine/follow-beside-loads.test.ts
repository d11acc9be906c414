/** Following a stream while workers still write batches of a load that was stopped or killed. */
import { expect, it } from "@jest/globals";
import { deriveOfficerId } from "../../api/resources/officer-appointment/identity.ts";
import { followCommand } from "../../ingest/commands/follow.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { fetchFollowed } from "../../ingest/follow/positions.ts";
import { openQueue } from "../../ingest/queue/queue.ts";
import { beginCommand } from "../support/begun-command.ts";
import { batchRunner, company, event, fetchNameOnRecord } from "../support/event-batches.ts";
import { followNow } from "../support/follow.ts";
import { serve } from "../support/followed-servers.ts";
import { addPausedWorker, addWorker } from "../support/further-worker.ts";
import { load, STOPPED, writeFile } from "../support/load-command.ts";
import { aCompanyLine, aFile, anUpdateLine, aPersonLine } from "../support/officer-lines.ts";
import { countAppointments, writeUpdate } from "../support/officers-update.ts";
import { makeOwnFolder } from "../support/own-folder.ts";
import type { TestRegister } from "../support/register.ts";
import { registersPerTest } from "../support/registers-per-test.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { waitUntil } from "../support/wait-until.ts";

const LONG_MS = 60_000;
const WAITS = /^workers still write batches of load \S+, which has ended/;
const [PERSON, OTHER, NEXT] = ["100000010001", "100000020001", "200000010001"] as const;
const COMPANY = "99000500";

const folder = makeOwnFolder();
const newRegister = registersPerTest();

/** An appointment in the form of stream events. */
function appointment(number: string, officer: string, name: string, inCompany = COMPANY): object {
  const id = `appointment-${number}`.padEnd(27, "-");
  return {
    ...{ resource_kind: "company-officers", resource_id: id },
    resource_uri: `/company/${inCompany}/appointments/${id}`,
    data: {
      ...{ name, officer_role: "director", appointed_on: "2020-01-01", person_number: number },
      links: { officer: { appointments: `/officers/${officer}/appointments` } },
    },
  };
}

const eventsOf = (resources: object[], day = "2026-11-03") =>
  resources.flatMap((resource, at) => event(resource, at + 8, day).rows);

/** Follows a stream of these events; `isWritten` tells whether all of them are written. */
async function beginFollowing(register: TestRegister, stream: string, lines: string[]) {
  const { base, close } = await serve((_request, response) => response.write(`${lines.join("\n")}\n`));
  const options = { from: base, key: "a-key", timepoint: "8" };
  const following = beginCommand(register, followCommand, [stream], options);
  const isWritten = async () => {
    const followed = await fetchFollowed(register.stores.mongo.documents);
    return followed.get(stream)?.timepoint === 7 + lines.length;
  };
  const end = async () => {
    await waitUntil(isWritten, "the events are written", LONG_MS);
    following.stop();
    expect(await following.ended).toBe(0);
    await close();
  };
  return { messages: following.messages, isWritten, end };
}

it("writes complete officer documents from a batch that a killed first load left in the queue", async () => {
  const register = await newRegister({}, false);
  const persons = [PERSON, OTHER].map((number) => aPersonLine({ company: COMPANY, number }));
  const lines = [aCompanyLine(COMPANY, "MOCK LTD", " ", "0002"), ...persons];
  const file = aFile("DDDDSNAP432120261101", lines);
  const path = writeFile(folder, "Prod195_4321_ew_1_01112026010001.dat", file);
  const queue = openQueue(register.stores.redis, register.config.QUEUE_PREFIX);
  const listLeft = () => queue.getRanges(["waiting", "prioritized", "delayed", "active"]);
  const loading = beginCommand(register, loadCommand, [path], { encoding: "utf-8" });
  await waitUntil(async () => (await listLeft()).length > 0, "the batch is in the queue", LONG_MS);
  const [id = ""] = await listLeft();
  const left = (await queue.getJob(id))?.data;
  if (!left) throw new Error("no batch");
  loading.stop();
  await expect(loading.ended).rejects.toThrow(STOPPED);
  // Puts the batch back, as a killed process would have left it.
  await queue.add(left.source, left, { jobId: id });

  const real = "real-officer".padEnd(27, "-");
  const events = eventsOf([
    appointment(PERSON, deriveOfficerId(PERSON), "TESTERHOLM, Una", "99000501"),
    appointment(OTHER, real, "TESTERHOLM, Una", "99000501"),
  ]);
  await (await beginFollowing(register, "officers", events)).end();
  await followNow(register.stores);

  const stopWorker = addWorker(register);
  await waitUntil(async () => (await listLeft()).length === 0, "nothing is left in the queue", LONG_MS);
  expect(await load(register, [], { resume: left.load })).toMatchObject({ exitCode: 0 });
  await stopWorker();
  await queue.close();
  expect(await countAppointments(register)).toBe(4);
  await expectStoresAgree(register.stores);
});

/** Follows a stream while a worker holds a batch of a stopped load, until both are written. */
async function followBesideHeld(
  register: TestRegister,
  { path, stream, lines }: { path: string; stream: string; lines: string[] },
): Promise<void> {
  const worker = addPausedWorker(register);
  const loading = beginCommand(register, loadCommand, [path], { encoding: "utf-8", force: "true" });
  await waitUntil(() => Promise.resolve(worker.hasBegun()), "a worker writes the batch", LONG_MS);
  loading.stop();
  await expect(loading.ended).rejects.toThrow(STOPPED);
  const following = await beginFollowing(register, stream, lines);
  const isWaiting = () => following.messages.some((line) => WAITS.test(line));
  const goesOn = async () => isWaiting() || (await following.isWritten());
  await waitUntil(goesOn, "follow waits, or has written the events", LONG_MS);
  worker.open();
  await following.end();
  await worker.close();
  await followNow(register.stores);
  await expectStoresAgree(register.stores);
}

it("keeps one appointment if a worker moves it while an event states it at its former place", async () => {
  const register = await newRegister({}, false);
  const former = appointment(PERSON, deriveOfficerId(PERSON), "TESTERHOLM, Una");
  await batchRunner(() => register.stores)(event(former, 1, "2026-10-30"));
  const path = writeUpdate(folder, 4322, [
    anUpdateLine({ company: COMPANY, oldNumber: PERSON, number: NEXT }),
  ]);
  await followBesideHeld(register, { path, stream: "officers", lines: eventsOf([former]) });
  expect(await countAppointments(register)).toBe(1);
});

it("ranks an event above rows without a day from a load that began before the event came", async () => {
  const register = await newRegister({}, false);
  const row = `${JSON.stringify(company("ROW LIMITED"))}\n`;
  const path = writeFile(folder, "companies.jsonl", row);
  // The event was published before the load began.
  const lines = eventsOf([company("TOLD BY THE STREAM LIMITED")]);
  await followBesideHeld(register, { path, stream: "companies", lines });
  expect(await fetchNameOnRecord(register.stores)).toBe("TOLD BY THE STREAM LIMITED");
});
