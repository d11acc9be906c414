/** The event streams as readers see them: which events are sent, and which are not. */
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { streams } from "../../api/streams/streams.ts";
import { batchRunner, event, snapshot, NUMBER, type Rows } from "../support/event-batches.ts";
import { aCompanyLine, aPersonLine, anUpdateLine } from "../support/officer-lines.ts";
import { openRegister, type TestRegister } from "../support/register.ts";
import { SAMPLE } from "../support/sample-register.ts";
import { openStreams, type SentEvent, type TestStreams } from "../support/streams.ts";

let register: TestRegister;
let server: TestStreams;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
  server = await openStreams(register);
});
afterAll(async () => {
  await server.close();
  await register.close();
});
const run = batchRunner(() => register.stores);

/** The last changed version of each resource in a sample file, by address. */
function sampled(stream: string): Map<string, SentEvent> {
  const lines = readFileSync(`${SAMPLE}/streams/${stream}.ndjson`, "utf8").split("\n");
  const events = lines.flatMap((line) => (line.trim() === "" ? [] : (JSON.parse(line) as SentEvent)));
  const changed = events.filter((one) => one.event.type === "changed");
  const inOrder = changed.sort((a, b) => a.event.timepoint - b.event.timepoint);
  return new Map(inOrder.map((one) => [`/${one.resource_uri.replace(/^\//, "")}`, one]));
}

interface Comparable {
  links?: { self?: string };
  accounts?: {
    accounting_reference_date?: { day: unknown; month: unknown };
    next_accounts?: { due_on?: string };
    next_made_up_to?: string;
  };
  disqualifications?: { disqualified_from: string }[];
}

/**
 * The part of a resource that is sent as it came in. It leaves out links, which say what is stored, numbers that were
 * texts, the order of disqualifications, and the next accounting period, which is derived.
 */
function toComparable({ resource_kind, resource_id, data }: SentEvent) {
  const { links, accounts, disqualifications = [], ...rest } = data as Comparable;
  const { accounting_reference_date: date, next_accounts, ...others } = accounts ?? {};
  return {
    ...{
      resource_kind,
      resource_id,
      rest,
      self: links?.self,
      accounts: { ...others, next_made_up_to: undefined },
      due: next_accounts?.due_on,
    },
    day: date && [Number(date.day), Number(date.month)],
    disqualifications: disqualifications.toSorted((a, b) =>
      a.disqualified_from < b.disqualified_from ? -1 : 1,
    ),
  };
}

const identityOf = ({ resource_kind, resource_uri, resource_id }: SentEvent) => [
  resource_kind,
  resource_uri,
  resource_id,
];
const typesOf = (events: readonly SentEvent[]) => events.map((one) => [one.event.type, one.resource_uri]);

/**
 * The events that each stream sends for what `act` does; `wanted` gives their number per stream. They are read from a
 * server that starts afterwards, since a server with readers may have read half of a page, which it then shares for
 * some seconds.
 */
async function fetchSentBy(
  wanted: Readonly<Record<string, number>>,
  act: () => Promise<unknown>,
): Promise<SentEvent[][]> {
  const from = await server.timepointNow();
  await act();
  const counts = Object.entries(wanted);
  const later = await openStreams(register, { heartbeatMs: 1 });
  try {
    return await Promise.all(counts.map(([name, count]) => later.read(`/${name}?timepoint=${from}`, count)));
  } finally {
    await later.close();
  }
}

describe("the samples of the nine streams", () => {
  const names = streams.map(({ name }) => name);
  let changed: SentEvent[][];
  let gone: SentEvent[][];
  const samples = names.map(sampled);
  const load = async (delay: number, type?: string) => {
    for (const ofStream of samples) {
      const batches = [...ofStream.values()].map(({ event: stamp, ...resource }) =>
        event(resource, stamp.timepoint + delay, type ? "2026-11-03" : "2026-11-02", type),
      );
      const [first] = batches;
      if (first) await run({ ...first, rows: batches.flatMap(({ rows }) => rows) });
    }
  };
  beforeAll(async () => {
    const wanted = Object.fromEntries(names.map((name, at) => [name, samples[at]?.size ?? 0]));
    changed = await fetchSentBy(wanted, () => load(0));
    gone = await fetchSentBy(wanted, () => load(1_000, "deleted"));
  }, 60_000);

  it.each(names)("of %s go out as they came in, and then as deleted", (name) => {
    const at = names.indexOf(name);
    const [sent = [], wanted = new Map<string, SentEvent>()] = [changed[at], samples[at]];
    expect(typesOf(sent)).toEqual([...wanted.keys()].map((uri) => ["changed", uri]));
    for (const one of sent)
      expect(toComparable(one)).toEqual(toComparable(wanted.get(one.resource_uri) ?? one));
    expect(gone[at]?.map(identityOf)).toEqual(sent.map(identityOf));
    expect(gone[at]?.every((one) => one.event.type === "deleted")).toBe(true);
    const timepoints = [...sent, ...(gone[at] ?? [])].map((one) => one.event.timepoint);
    expect(timepoints).toEqual([...new Set(timepoints)].toSorted((a, b) => a - b));
  });
});

describe("events", () => {
  const row = (day: string, name = "STREAMED LTD", number = NUMBER) => snapshot(day, name, number);

  it("are made when a record's content changes, and not when it is repeated", async () => {
    const [sent] = await fetchSentBy({ companies: 2 }, async () => {
      await run(row("2026-12-01"));
      await run(row("2026-12-02"));
      await run(row("2026-12-03", "RENAMED LTD"));
    });
    expect(typesOf(sent ?? [])).toEqual([
      ["changed", `/company/${NUMBER}`],
      ["changed", `/company/${NUMBER}`],
    ]);
    // A record is sent with the content that it has at that time.
    expect(sent?.map(({ data }) => data.company_name)).toEqual(["RENAMED LTD", "RENAMED LTD"]);
  });

  it("of a first load are only those for records that came before its rest, as before it was resumed", async () => {
    const [early, late] = ["97100011", "97100012"];
    await run(row("2026-11-20", "EARLY LTD", early));
    const rest = row("2026-12-01", "RENAMED LTD", early);
    const rows = [...rest.rows, ...row("2026-12-01", "LATE LTD", late).rows];
    const [sent] = await fetchSentBy({ companies: 1 }, () => run({ ...rest, rows, empty: ["companies"] }));
    expect(typesOf(sent ?? [])).toEqual([["changed", `/company/${early}`]]);
    const [again] = await fetchSentBy({ companies: 1 }, async () => {
      const { mongo } = register.stores;
      const amendIf: typeof mongo.documents.amendIf = (collection, condition, members) =>
        members.state === "written"
          ? Promise.reject(new Error("broken off"))
          : mongo.documents.amendIf(collection, condition, members);
      const documents = { ...mongo.documents, amendIf };
      const broken = { ...register.stores, mongo: { ...mongo, documents } };
      const batch = { ...row("2026-12-02", "BROKEN OFF LTD", early), empty: ["companies"], revision: 9_000 };
      await expect(run(batch, broken)).rejects.toThrow("broken off");
      await run(batch);
    });
    expect(typesOf(again ?? [])).toEqual([["changed", `/company/${early}`]]);
    const [none] = await fetchSentBy({ companies: 0 }, () =>
      run({ ...row("2026-12-01", "NEW LTD", "97100013"), empty: ["companies"] }),
    );
    expect(none).toEqual([]);
  });

  it("are not made by an older statement, which is only remembered", async () => {
    const number = "97100001";
    await run(row("2026-12-01", "STREAMED LTD", number));
    const data = { company_name: "OLDER LTD", company_number: number, type: "ltd" };
    const resource = { resource_kind: "company-profile", resource_uri: `/company/${number}`, data };
    const [sent] = await fetchSentBy({ companies: 0 }, () =>
      run(event({ ...resource, resource_id: number }, 900_000, "2026-11-01")),
    );
    expect(sent).toEqual([]);
  });

  it("of a statement link to its person as the API does, though the source has another path", async () => {
    const company = "97100008";
    const [person, statement] = ["stream-person".padEnd(27, "-"), "stream-statement".padEnd(27, "-")];
    const path = `/company/${company}/persons-with-significant-control`;
    const uri = `${path}-statements/${statement}`;
    const link = `${path}/individual/${person}`;
    const lines = [
      {
        ...{ kind: "legal-person-person-with-significant-control", name: "Ministry" },
        links: { self: link, statement: uri },
      },
      {
        kind: "persons-with-significant-control-statement",
        statement: "psc-details-not-confirmed",
        links: { self: uri, person_with_significant_control: link },
      },
    ];
    const rows = lines.map((data) => JSON.stringify({ company_number: company, data }));
    const [sent = []] = await fetchSentBy({ "persons-with-significant-control-statements": 1 }, () =>
      run({ source: "psc-snapshot", fileName: "psc-snapshot-2026-11-01.txt", rows }),
    );
    expect(sent[0]?.data).toEqual((await register.get(uri)).body);
    expect(sent[0]?.data.links).toEqual({
      self: uri,
      person_with_significant_control: `${path}/legal-person/${person}`,
    });
  });

  it("of a record that a daily update moves are two: a deletion, and a change under the new address", async () => {
    const [company, number] = ["97100002", "300000010001"];
    const of = { company, number, appointed: "20200101" };
    const first = aPersonLine(of);
    const snapshotOf: Rows = {
      ...{ source: "officers-snapshot", fileName: "Prod195_4321_ew_1.dat" },
      ...{ first: "DDDDSNAP432120261101", rows: [aCompanyLine(company, "SAMPLE LTD"), first] },
    };
    const [before] = await fetchSentBy({ officers: 1 }, () => run(snapshotOf));
    const moved = anUpdateLine({ ...of, number: "300000020001", oldNumber: number });
    const [after] = await fetchSentBy({ officers: 2 }, () =>
      run({
        ...{ source: "officers-update", fileName: "Prod198_4322.dat", first: "DDDDUPDT432220261102" },
        rows: [aCompanyLine(company, "SAMPLE LTD"), moved],
      }),
    );
    const [uri] = before?.map(({ resource_uri }) => resource_uri) ?? [];
    const types = typesOf(after ?? []);
    expect(types).toContainEqual(["deleted", uri]);
    expect(types.filter(([type]) => type === "changed")).toHaveLength(1);
    expect(types).toHaveLength(2);
  });

  it("of a nominee's corrected appointments are one each", async () => {
    const [companies, number] = [["97100004", "97100005"], "900000040001"];
    const uri = (company: string) => expect.stringContaining(`/company/${company}/appointments/`) as unknown;
    await run({
      ...{ source: "officers-snapshot", fileName: "Prod195_4321_ew_1.dat" },
      first: "DDDDSNAP432120261101",
      rows: companies.flatMap((company) => [
        aCompanyLine(company, "SAMPLE LTD"),
        aPersonLine({ company, number }),
      ]),
    });
    const correction = anUpdateLine({ company: "", number, surname: "CORRECTED", isCorrection: true });
    const [sent = []] = await fetchSentBy({ officers: 2 }, () =>
      run({
        ...{ source: "officers-update", fileName: "Prod198_4323.dat", first: "DDDDUPDT432320261103" },
        rows: [correction],
      }),
    );
    expect(typesOf(sent)).toHaveLength(2);
    expect(typesOf(sent)).toEqual(
      expect.arrayContaining(companies.map((company) => ["changed", uri(company)])),
    );
    expect(sent.map(({ data }) => data.name)).toEqual(["CORRECTED, Una", "CORRECTED, Una"]);
    // A nominee has a hundred thousand appointments, so addresses that stay are not noted in the change.
    const [change] = await register.stores.mongo.documents.listLatest("changes", 1, ["addresses"]);
    expect(change?.addresses ?? "{}").toBe("{}");
  });

  it("of a record that gets another address are two: a change, and the deletion of the former address", async () => {
    const [company, number, id] = ["97100006", "300000060001", "real-appointment".padEnd(27, "-")];
    const snapshotOf: Rows = {
      ...{ source: "officers-snapshot", fileName: "Prod195_4321_ew_1.dat", first: "DDDDSNAP432120261101" },
      rows: [aCompanyLine(company, "SAMPLE LTD"), aPersonLine({ company, number, appointed: "20200101" })],
    };
    const [before] = await fetchSentBy({ officers: 1 }, () => run(snapshotOf));
    const [former = ""] = before?.map(({ resource_uri }) => resource_uri) ?? [];
    const uri = `/company/${company}/appointments/${id}`;
    const resource = { resource_kind: "company-officers", resource_uri: uri, resource_id: id };
    const officer = { appointments: `/officers/${"real-officer".padEnd(27, "-")}/appointments` };
    const data = {
      ...{ name: "TESTERHOLM, Una", officer_role: "director", appointed_on: "2020-01-01" },
      ...{ person_number: number, links: { self: uri, officer } },
    };
    const [after] = await fetchSentBy({ officers: 2 }, () =>
      run(event({ ...resource, data }, 1, "2026-11-02")),
    );
    expect(typesOf(after ?? [])).toEqual([
      ["changed", uri],
      ["deleted", former],
    ]);
    const deleted = after?.[1];
    expect([deleted?.resource_kind, deleted?.resource_id]).toEqual([
      "company-officers",
      former.split("/")[4],
    ]);
    expect(deleted?.event.timepoint).toBeGreaterThan(after?.[0]?.event.timepoint ?? Infinity);
    // A later change does not mention the former address.
    const later = { ...data, occupation: "TESTER" };
    const [again] = await fetchSentBy({ officers: 1 }, () =>
      run(event({ ...resource, data: later }, 2, "2026-11-03")),
    );
    expect(typesOf(again ?? [])).toEqual([["changed", uri]]);
  });

  it("of a record that was deleted and is back at another address still tell the former one's deletion", async () => {
    const [company, id] = ["97100007", "back-appointment".padEnd(27, "-")];
    const uriOf = (name: string) => `/company/${company}/appointments/${name}`;
    const [former, uri] = [uriOf("former-appointment".padEnd(27, "-")), uriOf(id)];
    const appointmentAt = (self: string) => ({
      ...{ resource_kind: "company-officers", resource_uri: self, resource_id: self.split("/")[4] },
      data: {
        ...{ name: "BACK, Una", officer_role: "director", appointed_on: "2020-01-01" },
        person_number: "300000070001",
        links: {
          self,
          officer: { appointments: `/officers/${"back-officer".padEnd(27, "-")}/appointments` },
        },
      },
    });
    await run(event(appointmentAt(former), 1, "2026-11-01"));
    const [sent = []] = await fetchSentBy({ officers: 2 }, async () => {
      await run(event(appointmentAt(former), 2, "2026-11-02", "deleted"));
      await run(event(appointmentAt(uri), 3, "2026-11-03"));
    });
    expect(typesOf(sent).slice(-2)).toEqual([
      ["changed", uri],
      ["deleted", former],
    ]);
  });

  it("of a record whose identity an event changes end with its new state, under the same address", async () => {
    const [company, id] = ["97100003", "stream-appointment".padEnd(27, "-")];
    const uri = `/company/${company}/appointments/${id}`;
    const resource = { resource_kind: "company-officers", resource_uri: uri, resource_id: id };
    const data = {
      ...{ name: "STREAM, Una", officer_role: "director", person_number: "300000030001" },
      links: {
        self: uri,
        officer: { appointments: `/officers/${"stream-officer".padEnd(27, "-")}/appointments` },
      },
    };
    const [sent = []] = await fetchSentBy({ officers: 1 }, async () => {
      await run(event({ ...resource, data: { ...data, appointed_on: "2020-01-01" } }, 1, "2026-11-01"));
      await run(event({ ...resource, data: { ...data, appointed_on: "2020-01-02" } }, 2, "2026-11-02"));
    });
    expect(typesOf(sent).at(-1)).toEqual(["changed", uri]);
    expect(sent.at(-1)?.data.appointed_on).toBe("2020-01-02");
    expect(typesOf(sent)).not.toContainEqual(["deleted", uri]);
  });
});
