/** Random histories of streaming events, and a simple model of what a register stores after them. */
import { deriveAppointmentKey } from "../../api/resources/officer-appointment/identity.ts";
import type { Random } from "../../scripts/bench/random.ts";

/** A resource that a stream has events of; each has one address. */
interface Entity {
  kind: "company" | "appointment" | "filing";
  uri: string;
  id: string;
  company: string;
  person_number: string;
  officer: string;
  /** Whether a file had it before the stream began. */
  isInFile: boolean;
}

interface HistoryEvent {
  /** The line of JSON. */
  line: string;
  uri: string;
  timepoint: number;
  isDeleted: boolean;
  /** Day of appointment, part of the identity; absent in an event without data. */
  day?: string;
}

/** What a file and a stream state about a few companies, which no other history uses. */
export interface History {
  companies: string[];
  entities: Entity[];
  /** Lines of the API's JSON, loaded before the stream. */
  file: string[];
  /** In the order of their timepoints. */
  events: HistoryEvent[];
}

const DAYS = ["2020-01-01", "2020-02-02"] as const;
/** The file's origin number; an event's is its timepoint. */
const FILE = 9999;

/** Draws a history of `length` events. `run`, below 1000, makes its companies and ids unique. */
export function drawHistory(run: number, random: Random, length: number): History {
  const prefix = `XH${String(run).padStart(3, "0")}`;
  const companies = [0, 1, 2].map((at) => `${prefix}00${at}`);
  const drawn = Array.from({ length: 8 }, (_, at) => drawEntity(at, prefix, companies, random));
  const entities = [...new Map(drawn.map((entity) => [entity.uri, entity])).values()];
  const events = Array.from({ length }, (_, at) => drawEvent(random.pick(entities), at + 1, random));
  const file = entities.filter(({ isInFile }) => isInFile).map(toFileLine);
  return { companies, entities, file, events };
}

/**
 * What is stored in the end, a line for each record: for each address, the event with the highest timepoint. A record
 * from the file stays until an event has the same record. The file does not know the ids of appointments, so its
 * appointment is the same record if an event has its day.
 */
export function modelRecords({ entities, events }: History): string[] {
  return entities.flatMap((entity) => {
    const own = events.filter(({ uri }) => uri === entity.uri);
    const last = own.at(-1);
    const fromStream = last && !last.isDeleted ? [describe(entity, last.timepoint)] : [];
    const isReplaced =
      entity.kind === "appointment" ? own.some(({ day }) => day === DAYS[0]) : own.length > 0;
    return entity.isInFile && !isReplaced ? [...fromStream, describe(entity, FILE)] : fromStream;
  });
}

/** Addresses that are deleted in the end, each with the timepoint of its deletion. */
export function modelDeletions({ events }: History): Record<string, number> {
  const last = new Map(events.map((event) => [event.uri, event]));
  const deleted = [...last.values()].filter(({ isDeleted }) => isDeleted);
  return Object.fromEntries(deleted.map(({ uri, timepoint }) => [uri, timepoint]));
}

/** Describes a stored record as the model does. */
export function describeStored(collection: string, data: unknown): string {
  // The cast: histories have three kinds of resources, with these members.
  const stored = data as StoredData;
  const words = stored.company_name ?? stored.name_elements?.surname ?? String(stored.pages);
  const kind = { companies: "company", appointments: "appointment", filings: "filing" }[collection];
  const key = stored.person_number ?? stored.transaction_id ?? stored.company_number;
  return `${kind} ${key} told by ${/\d+$/.exec(words)?.[0]}`;
}

interface StoredData {
  company_number: string;
  company_name?: string;
  person_number?: string;
  name_elements?: { surname: string };
  transaction_id?: string;
  pages?: number;
}

function describe({ kind, company, id, person_number }: Entity, origin: number): string {
  const key = { company, appointment: person_number, filing: id }[kind];
  return `${kind} ${key} told by ${origin}`;
}

function drawEntity(at: number, prefix: string, companies: string[], random: Random): Entity {
  const company = random.pick(companies);
  const kind = at < 2 ? "company" : at < 6 ? "appointment" : "filing";
  const id = kind === "company" ? company : `${prefix}-entity-${at}`.padEnd(27, "-");
  const path = { company: "", appointment: `/appointments/${id}`, filing: `/filing-history/${id}` }[kind];
  return {
    ...{ kind, uri: `/company/${company}${path}`, id, company, isInFile: random.next() < 0.5 },
    person_number: `${prefix.slice(2)}${at}`.padStart(8, "1").padEnd(12, "0"),
    // Two officers hold two appointments each.
    officer: `${prefix}-officer-${at % 2}`.padEnd(27, "-"),
  };
}

function drawEvent(entity: Entity, timepoint: number, random: Random): HistoryEvent {
  const isDeleted = random.next() < 0.35;
  const isBare = isDeleted && random.next() < 0.5;
  const day = random.next() < 0.75 ? DAYS[0] : DAYS[1];
  const type = isDeleted ? "deleted" : "changed";
  const line = JSON.stringify({
    ...envelopeOf(entity),
    data: isBare ? { links: { self: entity.uri } } : dataOf(entity, day, timepoint),
    event: { timepoint, published_at: "2026-11-02T09:00:00", type },
  });
  return { line, uri: entity.uri, timepoint, isDeleted, ...(isBare ? {} : { day }) };
}

/** A line of the file, which has the derived id of an appointment, because it does not know the real one. */
function toFileLine(entity: Entity): string {
  const [day] = DAYS;
  const { company, person_number, uri, id } = entity;
  const line = { ...envelopeOf(entity), data: dataOf(entity, day, FILE) };
  if (entity.kind !== "appointment") return JSON.stringify(line);
  const identity = { company_number: company, person_number, officer_role: "director", appointed_on: day };
  const derived = deriveAppointmentKey(identity);
  return JSON.stringify({ ...line, resource_uri: uri.replace(id, derived), resource_id: derived });
}

function envelopeOf({ kind, uri, id }: Entity) {
  const kinds = { company: "company-profile", appointment: "company-officers", filing: "filing-history" };
  return { resource_kind: kinds[kind], resource_uri: uri, resource_id: id };
}

/** Data that names its origin: the timepoint of its event, or `FILE`. */
function dataOf(entity: Entity, day: string, origin: number): object {
  switch (entity.kind) {
    case "company":
      return { company_number: entity.company, company_name: `TOLD BY ${origin}`, type: "ltd" };
    case "filing": {
      const description = "accounts-with-accounts-type-group";
      return { type: "AA", category: "accounts", date: "2026-11-02", description, pages: origin };
    }
    case "appointment":
      return {
        ...{ name: `TOLD BY ${origin}, One`, officer_role: "director", appointed_on: day },
        person_number: entity.person_number,
        links: { officer: { appointments: `/officers/${entity.officer}/appointments` } },
      };
  }
}
