/**
 * `follow` when its stream is refused or cut, for a while or for good, and what is reported after its process was
 * killed or failed to end cleanly.
 */
import { expect, it, jest } from "@jest/globals";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import { followCommand } from "../../ingest/commands/follow.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchFollowed, writeFollowed } from "../../ingest/follow/positions.ts";
import { beginLoad, writeLoad } from "../../ingest/history/loads.ts";
import { beginCommand } from "../support/begun-command.ts";
import { changedCommand } from "../support/changed-command.ts";
import { examine, findingOf } from "../support/doctor.ts";
import { EVENT, follow, serve, waitUntil } from "../support/followed-servers.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));

const documents = () => register.stores.mongo.documents;
const fetchFollowedCompanies = async () => (await fetchFollowed(documents())).get("companies");
const storePosition = (from: string, more: object = { heard_at: new Date().toISOString() }) =>
  writeFollowed(documents(), { stream: "companies", from, timepoint: 7, ...more });

it.each<[string, number, RegExp]>([
  ["401", 401, /answers 401/],
  ["403", 403, /answers 403/],
  ["404", 404, /answers 404/],
  ["web page in place of events", 200, /sends no JSON lines/],
])("continues a followed stream after a passing %s", async (_what, status, fault) => {
  let calls = 0;
  let kept: string | undefined;
  const { base, close } = await serve((_request, response) => {
    calls += 1;
    if (calls === 1) response.writeHead(status).end("<html>\n");
    else
      void fetchFollowedCompanies().then((one) => {
        kept = one?.fault;
        response.write(`${EVENT}\n`);
      });
  });
  await storePosition(`${base}/`);
  const { exitCode } = await follow(register, ["companies"], { from: base, key: "a-key" }, () =>
    waitUntil(async () => (await fetchFollowedCompanies())?.timepoint === 8),
  );
  await close();
  expect(exitCode).toBe(0);
  expect(kept).toMatch(fault);
  expect((await fetchFollowedCompanies())?.fault).toBeUndefined();
});

it("retries a server that limits connections, even the first time", async () => {
  const { base, close } = await serve((_request, response) => response.writeHead(429).end());
  const following = beginCommand(register, followCommand, ["companies"], {
    ...{ from: base, key: "a-key", fromNow: "true" },
  });
  const isTold = () =>
    following.messages.some((line) => /answers 429: .*; connecting again in \d+ s/.test(line));
  await waitUntil(() => isTold() || following.hasEnded());
  expect(following.hasEnded()).toBe(false);
  following.stop();
  expect(await following.ended).toBe(0);
  await close();
});

it("reopens at once a connection that a proxy cuts every half minute", async () => {
  let cuts = 0;
  let calls = 0;
  const { base, close } = await serve((_request, response) => {
    calls += 1;
    response.write("\n");
    setTimeout(() => {
      cuts += 1;
      response.destroy();
    }, 100);
  });
  await storePosition(`${base}/`);
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, "now").mockImplementation(() => now() + cuts * 30_000);
  const { messages } = await follow(register, ["companies"], { from: base, key: "a-key" }, () =>
    waitUntil(() => calls > 3),
  );
  clock.mockRestore();
  await close();
  const pauses = messages.flatMap((line) => /connecting again in ([\d.]+) s$/.exec(line)?.[1] ?? []);
  expect(pauses.length).toBeGreaterThan(2);
  expect(Math.max(...pauses.map(Number))).toBeLessThan(2);
});

/** Follows another server: writes its event 8, then begins again from now, and no further event comes. */
async function writeFromAnother(): Promise<void> {
  const { base, close } = await serve((request, response) => {
    response.writeHead(200).write(request.url?.includes("timepoint") ? `${EVENT}\n` : "\n");
  });
  const options = { from: base, key: "a-key" };
  await storePosition("http://127.0.0.1:9/", {});
  await follow(register, ["companies"], { ...options, timepoint: "8" }, () =>
    waitUntil(async () => (await fetchFollowedCompanies())?.written_at !== undefined),
  );
  await follow(register, ["companies"], { ...options, fromNow: "true" }, () =>
    waitUntil(async () => (await fetchFollowedCompanies())?.timepoint === undefined),
  );
  await close();
}

it.each<[string, number, Record<string, string>]>([
  ["sent only empty lines", 200, { fromNow: "true" }],
  ["refused the key", 401, { timepoint: "900000" }],
])("accepts another server, whatever its timepoints, after one that %s", async (_what, status, options) => {
  const first = await serve((_request, response) => {
    response.writeHead(status, { "X-Next-Timepoint": "500" }).write("\n");
    if (status !== 200) response.end();
  });
  const second = await serve((_request, response) => {
    response.writeHead(200, { "X-Next-Timepoint": "7" }).write(`${EVENT}\n`);
  });
  await storePosition("http://127.0.0.1:9/", {});
  const key = "a-key";
  await follow(register, ["companies"], { ...options, from: first.base, key }, () =>
    waitUntil(async () => (await fetchFollowedCompanies())?.heard_at !== undefined),
  );
  const { exitCode, messages } = await follow(
    register,
    ["companies"],
    { from: second.base, key, fromNow: "true" },
    () => waitUntil(async () => (await fetchFollowedCompanies())?.timepoint === 8),
  );
  for (const { close } of [first, second]) await close();
  expect([exitCode, messages.join("\n")]).toEqual([0, expect.not.stringMatching(/another server/)]);
});

it("lengthens its pauses even if a server takes half a minute to answer 503", async () => {
  let calls = 0;
  const { base, close } = await serve((_request, response) => {
    calls += 1;
    response.writeHead(503).end();
  });
  await storePosition(`${base}/`);
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, "now").mockImplementation(() => now() + calls * 30_000);
  const following = beginCommand(register, followCommand, ["companies"], { from: base, key: "a-key" });
  const pauses = () =>
    following.messages.flatMap(
      (line) => /answers 503; connecting again in ([\d.]+) s$/.exec(line)?.[1] ?? [],
    );
  await waitUntil(() => pauses().length === 2 || following.hasEnded());
  following.stop();
  await following.ended;
  clock.mockRestore();
  await close();
  expect(Number(pauses()[1])).toBeGreaterThanOrEqual(2);
});

it("refuses another server with lower timepoints however often it is tried: its events would seem old", async () => {
  let next = "7";
  const { base, close } = await serve((_request, response) => {
    response.writeHead(200, { "X-Next-Timepoint": next }).write(`${EVENT}\n`);
  });
  await writeFromAnother();
  const options = { from: base, key: "a-key", fromNow: "true" };
  const isFollowed = async () =>
    (await fetchFollowedCompanies())?.from === `${base}/` &&
    (await fetchFollowedCompanies())?.timepoint === 8;
  const refusal =
    /companies begins at timepoint 7, .* another server up to timepoint 8 .* empty database.*--timepoint 9$/;
  const dry = await register.run(followCommand, ["companies"], { ...options, dryRun: "true" });
  expect([dry.exitCode, dry.printed.at(-1)]).toEqual([1, expect.stringMatching(refusal)]);
  for (let times = 0; times < 2; times += 1) {
    const { exitCode, messages } = await follow(register, ["companies"], options, () =>
      waitUntil(isFollowed),
    );
    expect([exitCode, messages.at(-1)]).toEqual([1, expect.stringMatching(refusal)]);
  }
  next = "9";
  const { exitCode } = await follow(register, ["companies"], options, () => waitUntil(isFollowed));
  await close();
  expect(exitCode).toBe(0);
});

it("counts a stream without events as heard whenever its server sends a line", async () => {
  const { base, close } = await serve((_request, response) => {
    const timer = setInterval(() => response.write("\n"), 50);
    response.once("close", () => clearInterval(timer));
  });
  await storePosition(`${base}/`);
  const fetchHeardAt = async () => (await fetchFollowedCompanies())?.heard_at ?? "";
  const began = await fetchHeardAt();
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, "now");
  await follow(register, ["companies"], { from: base, key: "a-key" }, async () => {
    await waitUntil(async () => (await fetchHeardAt()) > began);
    const first = await fetchHeardAt();
    clock.mockImplementation(() => now() + 31_000);
    await waitUntil(async () => (await fetchHeardAt()) > first);
  });
  clock.mockRestore();
  await close();
});

it("a follow whose process was killed leaves no load to resume", async () => {
  await storePosition("http://127.0.0.1:9/");
  const plan = { encoding: "utf-8", isComplete: false, isFollowing: true } as const;
  await writeLoad(documents(), beginLoad(["http://127.0.0.1:9/companies"], register.config, plan));
  const examined = await examine(register);
  expect(findingOf(examined, "Last load of each format").verdict).toBe("ok");
  expect(findingOf(examined, "Followed streams")).toMatchObject({ verdict: "ok", found: "1 stream" });
});

it("a follow stopped while Elasticsearch was unavailable is listed as failed, not as interrupted", async () => {
  const { base, close } = await serve((_request, response) => response.write(`${EVENT}\n`));
  const { stores } = register;
  const refresh = () => Promise.reject(new UnavailableError("elasticsearch", "away"));
  const failing = changedCommand(followCommand, () => ({
    openStores: () => ({ ...stores, elasticsearch: { ...stores.elasticsearch, refresh } }),
  }));
  const options = { from: base, key: "a-key", timepoint: "8" };
  const following = beginCommand(register, failing, ["companies"], options);
  await waitUntil(async () => (await fetchFollowedCompanies())?.timepoint === 8);
  following.stop();
  await expect(following.ended).rejects.toThrow(/elasticsearch is not available/);
  await close();
  const { printed } = await register.run(loadsCommands.list, [], { json: "true" });
  expect(JSON.parse(printed[0] ?? "")).toMatchObject({ files: [`${base}/companies`], state: "failed" });
});

it.each<[string, object, string, RegExp]>([
  ["is refused", { fault: "it answers 401" }, "fail", /^companies: it answers 401$/],
  [
    "has sent nothing for long",
    { heard_at: new Date(Date.now() - 20 * 60_000).toISOString() },
    "warn",
    /^companies: nothing from http:\/\/127\.0\.0\.1:9\/ for \d+ min$/,
  ],
  ["has never sent anything", {}, "warn", /^companies: nothing from \S+ yet$/],
])("doctor reports a stream that %s", async (_what, more, verdict, found) => {
  await storePosition("http://127.0.0.1:9/", more);
  const finding = findingOf(await examine(register), "Followed streams");
  expect(finding).toMatchObject({ verdict, found: expect.stringMatching(found) });
});
