/** Snapshots of several days and a stream end in the same records, in whatever order they are loaded. */
import { describe, expect, it } from "@jest/globals";
import { keyOf } from "../../api/shared/values/members.ts";
import type { RecordDefinition } from "../../api/shared/definitions/define-record.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { pscRecord } from "../../api/resources/person-with-significant-control/record.ts";
import { createRandom, type Random } from "../../scripts/bench/random.ts";
import {
  drawDays,
  lastEdition,
  lastStatedWord,
  reorder,
  type DaySource,
  type HistoryItem,
} from "../support/day-histories.ts";
import { appointmentSource, companySource, pscSource } from "../support/day-sources.ts";
import { batchRunner, type Rows } from "../support/event-batches.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";
import { expectStoresAgree } from "../support/stores-agree.ts";
import { lastEventOf } from "../support/statements.ts";

const ORDERS = 4;
const HISTORIES = 3;
const LENGTH = 7;

const register = forAllTests(() => openRegister({ withWorker: false }));
let companies = 0;
// Above the revisions of all batches that give none.
let laterRevision = 1_000_000;
const run = batchRunner(() => register.stores);

/** Several orders of one history, each for its own company; the first order is by day. */
interface Trial {
  history: HistoryItem[];
  orders: { company: string; order: HistoryItem[] }[];
}

function drawTrial(daySource: DaySource, random: Random): Trial {
  const history = drawDays(daySource, random);
  const orders = Array.from({ length: ORDERS }, (_, at) => ({
    company: String(98_000_000 + (companies += 1)),
    order: at === 0 ? history : reorder(history, random),
  }));
  return { history, orders };
}

/**
 * Loads what the orders have at these places, in one batch per file. One worker takes the stream while another takes
 * the snapshots, whose loads began before the events came or after them.
 */
async function load(trials: Trial[], places: number[], snapshotsBeganFirst: boolean): Promise<void> {
  const files = new Map<string, Rows>();
  for (const { company, order } of trials.flatMap(({ orders }) => orders)) {
    for (const place of places) {
      const incoming = order[place]?.toRows(company);
      if (!incoming) continue;
      const key = [incoming.source, incoming.fileName, incoming.first].join();
      const file = files.get(key) ?? { ...incoming, rows: [] };
      files.set(key, { ...file, rows: [...file.rows, ...incoming.rows] });
    }
  }
  const ordered = [...files].sort(([a], [b]) => a.localeCompare(b)).map(([, file]) => file);
  const isOfStream = ({ source }: Rows) => source === "streaming-events";
  await Promise.all([
    runAll(ordered.filter(isOfStream).map((file) => (snapshotsBeganFirst ? ofLaterLoad(file) : file))),
    runAll(ordered.filter((file) => !isOfStream(file))),
  ]);
}

function ofLaterLoad(file: Rows): Rows {
  return { ...file, revision: (laterRevision += 1) };
}

async function runAll(files: Rows[]): Promise<void> {
  for (const file of files) expect(await run(file)).toMatchObject({ refused: 0 });
}

/** Returns a description of a company's stored records with their last events; it leaves out the company's number. */
async function describeStored(record: RecordDefinition, field: string, trials: Trial[]) {
  const values = trials.flatMap(({ orders }) => orders.map(({ company }) => company));
  const { records } = await register.stores.mongo.records.fetchGroups(record, { field, values });
  return (company: string): string => {
    const own = records.filter((stored) => keyOf(stored, field) === company);
    const found = own.map((item) => ({ data: item.data, timepoint: lastEventOf(item)?.timepoint }));
    return JSON.stringify(found, sortMembers).replaceAll(company, "COMPANY");
  };
}

/** Makes records comparable: the order of members does not count, and ids derived from the company differ. */
function sortMembers(member: string, value: unknown): unknown {
  if (typeof value === "string" && member.endsWith("_id")) return value.includes("---");
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a.localeCompare(b)));
}

describe.each<[string, DaySource, RecordDefinition, string]>([
  ["a company", companySource, companyRecord, "_id"],
  ["an appointment", appointmentSource, appointmentRecord, "company_number"],
  ["a person with significant control", pscSource, pscRecord, "company_number"],
])("%s in snapshots and a stream", (_what, daySource, record, field) => {
  it.each([
    ["with two workers at once", false],
    ["with snapshots of loads that began before the events came", true],
  ])("ends as of the last day, whatever the order, %s", async (_how, snapshotsBeganFirst) => {
    const random = createRandom(20_261_121);
    const trials = Array.from({ length: HISTORIES }, () => drawTrial(daySource, random));
    const places = Array.from({ length: LENGTH }, (_, at) => at);
    for (let at = 0; at < LENGTH; at += 2) await load(trials, places.slice(at, at + 2), snapshotsBeganFirst);
    const describeOf = await describeStored(record, field, trials);
    for (const { history, orders } of trials) {
      const [inOrder, ...others] = orders;
      const expected = describeOf(inOrder?.company ?? "");
      const word = lastStatedWord(history);
      expect(expected.toUpperCase()).toContain(word ?? "[]");
      if (word) expect(expected).toContain(daySource.lasting?.(lastEdition(history)) ?? "");
      for (const { company, order } of others) {
        const words = order.map(({ kind, day, place }) => `${place} ${kind} ${day}`);
        expect([words, describeOf(company)]).toEqual([words, expected]);
      }
    }
    await expectStoresAgree(register.stores);
  });
});
