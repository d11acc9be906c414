/** Where `follow` begins, what it stores before the server answers, and what it reports where it cannot begin. */
import { expect, it } from "@jest/globals";
import { followCommand } from "../../ingest/commands/follow.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchFollowed, writeFollowed, type FollowedStream } from "../../ingest/follow/positions.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { statusCommand } from "../../scripts/commands/status.ts";
import { beginCommand } from "../support/begun-command.ts";
import { EVENT, follow, serve, waitUntil } from "../support/followed-servers.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));

const key = "a-key";
const documents = () => register.stores.mongo.documents;
const fetchFollowedStream = async (stream: string) => (await fetchFollowed(documents())).get(stream);
const run = (args: string[], options: Record<string, string>) =>
  register.run(followCommand, args, { key, ...options });
const followedStream = (stream: string, from: string): FollowedStream => ({
  ...{ stream, from, timepoint: 7, written: 7, heard_at: new Date().toISOString() },
});

it("trims events and change log when it begins, since a process restarted often never runs an hour", async () => {
  const { base, close } = await serve((_request, response) => response.write("\n"));
  // Trimming stores a mark for its day; later trims use it to tell what is old.
  const mark = `mark/${new Date().toISOString().slice(0, 10)}`;
  const isTrimmed = async () => (await documents().fetch("events", mark)) !== null;
  expect(await isTrimmed()).toBe(false);
  await follow(register, ["charges"], { from: base, key, fromNow: "true" }, () => waitUntil(isTrimmed));
  await close();
});

it("stores a position at once when it begins with the oldest event of a stream without events", async () => {
  const asked: (string | null)[] = [];
  const { base, close } = await serve((request, response) => {
    asked.push(new URL(request.url ?? "", "http://server").searchParams.get("timepoint"));
    response.writeHead(200, { "X-Next-Timepoint": "281664041000000" }).write("\n");
  });
  const isHeard = () => waitUntil(async () => (await fetchFollowedStream("charges"))?.heard_at !== undefined);
  await follow(register, ["charges"], { from: base, key, timepoint: "0" }, isHeard);
  expect(await fetchFollowedStream("charges")).toMatchObject({ timepoint: 281664040999999 });
  await follow(register, ["charges"], { from: base, key }, () => waitUntil(() => asked.length === 2));
  await close();
  expect(asked).toEqual(["0", "281664041000000"]);
});

it("stores no position while the server does not name its oldest event", async () => {
  const { base, close } = await serve((_request, response) => response.write("\n"));
  const isHeard = () => waitUntil(async () => (await fetchFollowedStream("filings"))?.heard_at !== undefined);
  await follow(register, ["filings"], { from: base, key, timepoint: "0" }, isHeard);
  await close();
  const { printed } = await register.run(statusCommand, []);
  expect(printed.join("\n")).toMatch(/filings .*no event yet/);
});

it.each<[string, number, Record<string, string>]>([
  ["cannot be reached", 0, { timepoint: "0" }],
  ["answers 404", 404, { timepoint: "0" }],
  ["answers with a web page", 200, { fromNow: "true" }],
  ["no longer has the timepoint", 416, { timepoint: "9" }],
])("keeps the stream's position if the server %s", async (_what, status, options) => {
  const { base, close } = await serve((_request, response) => {
    if (status === 0) response.destroy();
    else response.writeHead(status).end("<html>\n");
  });
  const right = await serve((_request, response) => response.write(`${EVENT}\n`));
  const before = followedStream("companies", `${right.base}/`);
  await writeFollowed(documents(), before);
  const wrong = beginCommand(register, followCommand, ["companies"], { ...options, from: base, key });
  await waitUntil(() => wrong.messages.some((line) => /could not be opened|answers|no JSON/.test(line)));
  wrong.stop();
  expect(await wrong.ended).toBe(status === 0 ? 0 : 1);
  expect(await fetchFollowedStream("companies")).toMatchObject({ ...before });
  const { error } = await follow(register, ["companies"], { from: right.base, key }, () =>
    waitUntil(async () => (await fetchFollowedStream("companies"))?.timepoint === 8),
  );
  await Promise.all([close(), right.close()]);
  expect(error).toBeUndefined();
  expect((await fetchFollowedStream("companies"))?.fault).toBeUndefined();
});

it("accepts the right address after a wrong one that answered 404", async () => {
  const wrong = await serve((_request, response) => response.writeHead(404).end());
  const right = await serve((_request, response) => response.write("\n"));
  expect(await run(["officers"], { from: wrong.base, timepoint: "5" })).toMatchObject({ exitCode: 1 });
  expect(await fetchFollowedStream("officers")).toMatchObject({
    ...{ from: `${wrong.base}/`, fault: expect.stringMatching(/answers 404/) as unknown },
  });
  const { error } = await follow(register, ["officers"], { from: right.base, key }, () =>
    waitUntil(async () => (await fetchFollowedStream("officers"))?.from === `${right.base}/`),
  );
  await Promise.all([wrong.close(), right.close()]);
  expect(error).toBeUndefined();
});

it.each<[string, Record<string, string>, RegExp]>([
  [
    "from its option",
    { timepoint: "999999999999999" },
    /answers 416: timepoint 999999999999999 is in its future\. Follow with a lower --timepoint, or with --from-now$/,
  ],
  [
    "from its stored position",
    {},
    /answers 416: timepoint 8 is in its future, although .* another server than before, or was restored .* an empty database$/,
  ],
])("reports a timepoint %s as ahead of the server, not as lost events", async (_what, options, words) => {
  const { base, close } = await serve((_request, response) => {
    response.writeHead(416).end('{"errors":[{"type":"ch:service","error":"timepoint-in-the-future"}]}');
  });
  await writeFollowed(documents(), followedStream("charges", `${base}/`));
  const dry = await run(["charges"], { from: base, ...options, dryRun: "true" });
  expect([dry.exitCode, dry.printed.at(-1)]).toEqual([1, expect.stringMatching(words)]);
  const { exitCode, messages } = await run(["charges"], { from: base, ...options });
  await close();
  expect([exitCode, messages.at(-1)]).toEqual([1, expect.stringMatching(words)]);
});

it("says when it gives up one of several streams, and exits with 1 when stopped", async () => {
  const { base, close } = await serve((request, response) => {
    if (request.url?.startsWith("/companies")) response.writeHead(416).end();
    else response.write("\n");
  });
  for (const stream of ["companies", "charges"])
    await writeFollowed(documents(), followedStream(stream, `${base}/`));
  const following = beginCommand(register, followCommand, ["companies", "charges"], { from: base, key });
  const words =
    "made after the first event. companies is given up; the other streams are still followed, and the exit code";
  await waitUntil(() => following.messages.some((line) => line.includes(words)));
  expect(following.hasEnded()).toBe(false);
  following.stop();
  expect(await following.ended).toBe(1);
  await close();
});

it("ends as stopped, not as failed, when `loads cancel` stops it", async () => {
  const { base, close } = await serve((_request, response) => response.write(`${EVENT}\n`));
  const following = beginCommand(register, followCommand, ["companies"], { from: base, key, timepoint: "8" });
  await waitUntil(async () => {
    const followed = await fetchFollowedStream("companies");
    return followed?.from === `${base}/` && followed.timepoint === 8;
  });
  const [load] = await fetchLatestLoads(documents(), 1);
  const { error, exitCode, printed } = await register.run(loadsCommands.cancel, [load?._id ?? ""]);
  expect(await following.ended).toBe(0);
  await close();
  expect([error, exitCode]).toEqual([undefined, 0]);
  expect(printed).toEqual(
    expect.arrayContaining([
      `${load?._id}: succeeded`,
      expect.stringMatching(/^stopped: .*follow.* continues/),
    ]),
  );
});
