/** Following the event streams of servers that refuse, break off or send unreadable lines, and invalid options. */
import { expect, it } from "@jest/globals";
import { UnavailableError } from "../../api/shared/runtime/errors.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { followCommand } from "../../ingest/commands/follow.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchRefusedRows } from "../../ingest/refused-rows/refused-rows.ts";
import { fetchFollowed } from "../../ingest/follow/positions.ts";
import { followStream, pauseBefore, type FollowRun } from "../../ingest/follow/follow-stream.ts";
import { beginLoad } from "../../ingest/history/loads.ts";
import type { LiveFollower } from "../../ingest/log/log-follower.ts";
import { deathOf, Killed } from "../support/dying-stores.ts";
import { statusCommand } from "../../scripts/commands/status.ts";
import { follow, serve, waitUntil } from "../support/followed-servers.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister, type CommandRun } from "../support/register.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));

const company = (number: string, timepoint: number, name = "FOLLOWED LTD") =>
  JSON.stringify({
    resource_kind: "company-profile",
    resource_uri: `/company/${number}`,
    resource_id: number,
    data: { company_number: number, company_name: name, type: "ltd", company_status: "active" },
    event: { timepoint, published_at: "2026-11-20T10:00:00", type: "changed" },
  });
const run = (args: string[], options: Record<string, string>, isStopping?: () => boolean) =>
  register.run(followCommand, args, { key: "a-key", ...options }, isStopping);

it.each([
  [401, /answers 401: it does not accept the key/],
  [404, /answers 404: check that --from is the address of event streams/],
  [
    416,
    /answers 416: it no longer has the events from 8 on\. Follow with .*, then load a snapshot \(.*Prod217.*\) made after/,
  ],
])("stops at a server that answers %i, and says what to do", async (status, sentence) => {
  let calls = 0;
  const { base, close } = await serve((_request, response) => {
    calls += 1;
    response.writeHead(status).end();
  });
  const { exitCode, messages } = await run(["companies"], { from: base, timepoint: "8" });
  await close();
  expect({ exitCode, calls }).toEqual({ exitCode: 1, calls: 1 });
  expect(messages.join("\n")).toMatch(sentence);
  const { printed } = await register.run(statusCommand, []);
  expect(printed.join("\n")).toMatch(new RegExp(`companies .*answers ${status}`));
});

it("reports a server without streams, and stores nothing of it", async () => {
  const { base, close } = await serve((_request, response) => response.end("<html>\n<body>\n"));
  const { exitCode, messages, printed } = await run(["companies"], {
    ...{ from: base, fromNow: "true", json: "true" },
  });
  await close();
  expect(exitCode).toBe(1);
  expect(messages.join("\n")).toMatch(/sends no JSON lines/);
  expect(printed.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { load: null, files: [`${base}/companies`], counts: { read: 0 }, faults: messages.slice(-1) },
  ]);
});

it("continues after the last whole event when the connection breaks in the middle of a line", async () => {
  const asked: (string | null)[] = [];
  const { base, close } = await serve((request, response) => {
    const timepoint = new URL(request.url ?? "", "http://server").searchParams.get("timepoint");
    asked.push(timepoint);
    response.writeHead(200);
    if (timepoint === "5") {
      response.write(`\n${company("00000001", 5)}\n${company("00000002", 7).slice(0, 40)}`);
      setTimeout(() => response.destroy(), 300);
    } else response.write(`${company("00000002", 7)}\n`);
  });
  await follow(register, ["companies"], { from: base, key: "a-key", timepoint: "5" }, () =>
    waitUntil(
      async () => (await fetchFollowed(register.stores.mongo.documents)).get("companies")?.timepoint === 7,
    ),
  );
  await close();
  expect(asked).toEqual(["5", "6"]);
  const { printed } = await register.run(statusCommand, [], { json: "true" });
  expect(JSON.parse(printed[0] ?? "")).toMatchObject({
    followed: [
      { stream: "companies", from: `${base}/`, timepoint: 7, heard_ms: expect.any(Number), fault: null },
    ],
  });
});

it.each([
  [{ "X-Next-Timepoint": "40" }, [null, "40"], /was lost: \S+( \S+)*; connecting again in [\d.]+ s$/m],
  [
    {},
    [null, null],
    /connecting again in .* s\. Events until then are missed, because no event has arrived yet/,
  ],
])(
  "continues where it began when the connection breaks before the first event: %j",
  async (headers, wanted, words) => {
    const asked: (string | null)[] = [];
    const { base, close } = await serve((request, response) => {
      asked.push(new URL(request.url ?? "", "http://server").searchParams.get("timepoint"));
      response.writeHead(200, headers).write("\n");
      if (asked.length === 1) setTimeout(() => response.destroy(), 500);
    });
    const { messages } = await follow(
      register,
      ["filings"],
      { from: base, key: "a-key", fromNow: "true" },
      () => waitUntil(() => asked.length === 2),
    );
    await close();
    expect(asked).toEqual(wanted);
    expect(messages.join("\n")).toMatch(words);
    const kept = (await fetchFollowed(register.stores.mongo.documents)).get("filings");
    expect(kept?.timepoint).toBe("X-Next-Timepoint" in headers ? 39 : undefined);
  },
);

/** Follows the stream of companies in this process, with these methods of MongoDB changed. */
function followDirectly(base: string, changed: Partial<Stores["mongo"]["documents"]>) {
  const { stores, config } = register;
  const { mongo } = stores;
  const url = new URL("companies", base);
  const record = beginLoad([url.href], config, { encoding: "utf-8", isComplete: false, isFollowing: true });
  const surveyed = { file: url.href, source: "streaming-events", rows: 0, name: url.href, context: {} };
  const messages: string[] = [];
  const stop = new AbortController();
  const run: FollowRun = {
    context: { config, tell: (note) => void messages.push(note) },
    stores: { ...stores, mongo: { ...mongo, documents: { ...mongo.documents, ...changed } } },
    // The cast: nothing else of the follower is used.
    live: { during: (work: () => unknown) => work() } as unknown as LiveFollower,
    record: { ...record, surveyed: [surveyed] },
    ...{ isListed: false, key: "a-key", stop: stop.signal },
  };
  const followed = { stream: "companies", from: base, timepoint: 1 };
  const following = followStream(run, { followed, record: companyRecord, url });
  return { record, following, stop, messages };
}

it("lists its load before its first batch, so that a killed process leaves its refused events in sight", async () => {
  const { base, close } = await serve((_request, response) => response.write('{"broken\n'));
  const { documents } = register.stores.mongo;
  const putMissing: typeof documents.putMissing = async (collection, some) => {
    const existing = await documents.putMissing(collection, some);
    if (collection === "dead_letters" && some.length > 0) throw new Killed("putMissing");
    return existing;
  };
  const { record, following } = followDirectly(base, { putMissing });
  expect(await deathOf(following)).toBe("putMissing");
  await close();
  expect(await fetchRefusedRows(documents, record._id, 2)).toHaveLength(1);
  const shown = await register.run(loadsCommands.show, [record._id], { json: "true" });
  expect(JSON.parse(shown.printed.join("\n"))).toMatchObject({ _id: record._id, state: "interrupted" });
});

it("waits while MongoDB is unavailable, then continues", async () => {
  const { base, close } = await serve((_request, response) => response.write(`${company("00000009", 9)}\n`));
  const { documents, ...others } = register.stores.mongo;
  const away = new Set<string>();
  // Each collection fails once.
  const put: typeof documents.put = async (collection, document) => {
    if (away.has(collection)) return documents.put(collection, document);
    away.add(collection);
    throw new UnavailableError("mongodb", "away");
  };
  const { following, stop, messages } = followDirectly(base, { put });
  await waitUntil(async () => (await fetchFollowed(documents)).get("companies")?.timepoint === 9);
  stop.abort();
  expect(await following).toBeUndefined();
  await close();
  expect(away.size).toBeGreaterThan(1);
  expect(messages.join("\n")).toMatch(/mongodb is not available: away; the events wait for it/);
  expect(await others.records.count(companyRecord, { _id: "00000009" })).toBe(1);
});

it("stores unreadable lines as refused rows, and continues", async () => {
  const lines = [
    company("00000003", 11),
    `{"resource_kind": "company-profile", "broken`,
    company("00000004", 12),
  ];
  const { base, close } = await serve((_request, response) => response.write(`${lines.join("\n")}\n`));
  const isWritten = async () => {
    const kept = await fetchFollowed(register.stores.mongo.documents);
    return kept.get("companies")?.timepoint === 12;
  };
  const { exitCode } = await follow(
    register,
    ["companies"],
    { from: base, key: "a-key", timepoint: "11" },
    () => waitUntil(isWritten),
  );
  await close();
  expect(exitCode).toBe(0);
  const { printed } = await register.run(loadsCommands.list, [], { json: "true" });
  const load = JSON.parse(printed[0] ?? "") as {
    _id: string;
    files: string[];
    counts: object;
    state: string;
  };
  expect(load).toMatchObject({
    state: "succeeded",
    files: [`${base}/companies`],
    counts: { read: 3, refused: 1 },
  });
  const rows = await fetchRefusedRows(register.stores.mongo.documents, load._id, 10);
  expect(rows).toMatchObject([{ file: `${base}/companies`, line: 2, text: lines[1] }]);
  const { exitCode: resumed, error } = await register.run(loadCommand, [], { resume: load._id });
  expect({ resumed, words: error?.message }).toEqual({
    resumed: 1,
    words: expect.stringMatching(/has succeeded/),
  });
});

it("does not use one server's position for another", async () => {
  const { error } = await run(["companies"], { from: "http://127.0.0.1:9/" });
  expect(error?.message).toMatch(/companies was followed from .* --from-now or --timepoint/);
});

it.each([
  [["firms"], { from: "http://127.0.0.1:9" }, /there is no stream firms; there are companies, officers/],
  [[], { from: "register.example" }, /--from must be an address such as/],
  [[], { from: "https://a-key:@register.example" }, /^(?!.*a-key).*--from takes the address alone/],
  [[], { from: "https://me:a-key@register.example" }, /^(?!.*a-key).*--from takes the address alone/],
  [[], { from: "http://127.0.0.1:9", key: "" }, /no stream key/],
  [[], { from: "http://127.0.0.1:9", timepoint: "1", fromNow: "true" }, /contradict each other/],
])("refuses %j with %j", async (args, options, words) => {
  expect((await run(args, options as Record<string, string>)).error?.message).toMatch(words);
});

it("says with --dry-run where it would begin, and writes nothing", async () => {
  const { base, close } = await serve((request, response) => {
    if (request.url?.startsWith("/officers")) response.write("\n");
    else response.writeHead(416).end();
  });
  // A timepoint in the form that Company Register uses.
  const options = { from: base, timepoint: "281664041000003", dryRun: "true" };
  const documents = register.stores.mongo.documents;
  const before = await fetchFollowed(documents);
  const { exitCode, printed } = await run(["companies", "officers"], options);
  const asJson = await run(["companies", "officers"], { ...options, json: "true" });
  await close();
  expect(asJson.printed.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      streams: [
        {
          ...{ stream: "companies", url: `${base}/companies`, begins_at: 281664041000003 },
          fault: expect.stringMatching(
            /companies answers 416: it no longer has the events from 281664041000003 on/,
          ),
        },
        { stream: "officers", url: `${base}/officers`, begins_at: 281664041000003 },
      ],
    },
  ]);
  expect(exitCode).toBe(1);
  expect(printed).toEqual([
    expect.stringMatching(/companies answers 416: it no longer has the events/),
    `${base}/officers: would begin at 281664041000003`,
  ]);
  expect(await fetchFollowed(documents)).toEqual(before);
});

it("ends a --dry-run when stopped, even if the server stays silent", async () => {
  let hasCome = false;
  const { base, close } = await serve((_request, response) => {
    hasCome = true;
    response.flushHeaders();
  });
  const options = { from: base, key: "a-key", fromNow: "true", dryRun: "true" };
  const { exitCode, printed } = await follow(register, ["charges"], options, () => waitUntil(() => hasCome));
  await close();
  expect(exitCode).toBe(1);
  expect(printed).toEqual([expect.stringMatching(/aborted/)]);
});

it("lets only one process at a time follow a stream", async () => {
  const { base, close } = await serve((_request, response) => response.write("\n"));
  const options = { from: base, fromNow: "true" };
  let second: CommandRun | undefined;
  await follow(register, ["charges"], { key: "a-key", ...options }, async () => {
    await waitUntil(async () => (await fetchFollowed(register.stores.mongo.documents)).has("charges"));
    second = await run(["charges"], options);
  });
  await close();
  expect(second?.error?.message).toMatch(/following charges is under way in another process/);
});

it("waits longer before each retry, and a minute if the server limits connections", () => {
  expect([1, 2, 3].map((attempt) => pauseBefore(attempt, "passing", 0))).toEqual([1_000, 2_000, 4_000]);
  expect(pauseBefore(20, "passing", 0)).toBe(300_000);
  expect(pauseBefore(1, "crowded", 0)).toBe(60_000);
});
