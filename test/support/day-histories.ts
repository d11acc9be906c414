/** Owns short histories of a resource, as snapshots of several days and a stream tell it, for tests that load them in other orders. */
import { createRandom, shuffle, type Random } from "../../scripts/bench/random.ts";
import { event, type Rows } from "./event-batches.ts";

/** One thing that is told, of whichever company it is loaded for. */
export interface Told {
  kind: "snapshot" | "changed" | "deleted";
  /** `2026-11-05`; of one day the snapshot tells before the stream does. */
  day: string;
  /** In the order of days, from 1; the timepoint of an event. */
  place: number;
  toRows: (company: string) => Rows;
}

/** How a kind of resource is told. */
export interface DaySource {
  snapshot: (company: string, day: string, word: string, beside: Random) => Rows;
  /** As an event has it; `beside` draws members that events tell now and then. */
  resource: (company: string, word: string, beside: Random) => object;
  /** True: a deletion without data names the record as well. */
  isFoundBare: boolean;
  /** What a snapshot of this day alone states: it stays, whatever the stream states since. */
  lasting?: (day: string) => string;
}

const WORDS = ["ALPHA", "BRAVO", "CHARLIE", "DELTA", "ECHO", "FOXTROT", "GOLF"];
const KINDS = ["snapshot", "changed", "changed", "deleted"] as const;

/** A history in the order of days, which has at least one snapshot and one event. */
export function drawDays(daySource: DaySource, random: Random): Told[] {
  const further = WORDS.slice(2).map(() => random.pick(KINDS));
  return shuffle(["snapshot", "changed", ...further] as Told["kind"][], random)
    .map((kind) => ({ kind, day: `2026-11-0${1 + random.below(6)}` }))
    .sort((a, b) => a.day.localeCompare(b.day) || Number(isSnapshot(b)) - Number(isSnapshot(a)))
    .map(({ kind, day }, at) => toTold(daySource, { kind, day, place: at + 1 }, random));
}

/** The same in another order, but for its snapshots: of two of them the one that is loaded later counts as later. */
export function reorder(history: readonly Told[], random: Random): Told[] {
  const snapshots = history.filter(isSnapshot).values();
  return shuffle([...history], random).map((told) =>
    isSnapshot(told) ? (snapshots.next().value ?? told) : told,
  );
}

/** The word with which it is told last; undefined where it is deleted then. */
export function lastWord(history: readonly Told[]): string | undefined {
  const last = history.at(-1);
  return last && last.kind !== "deleted" ? wordAt(last.place) : undefined;
}

/** The day of the last snapshot. */
export function lastEdition(history: readonly Told[]): string {
  return history.findLast(isSnapshot)?.day ?? "";
}

function isSnapshot({ kind }: Pick<Told, "kind">): boolean {
  return kind === "snapshot";
}

function wordAt(place: number): string {
  return WORDS[place - 1] ?? "";
}

function toTold(
  { snapshot, resource, isFoundBare }: DaySource,
  { kind, day, place }: Omit<Told, "toRows">,
  random: Random,
): Told {
  const word = wordAt(place);
  const isBare = isFoundBare && random.next() < 0.5;
  const seed = random.below(1000);
  const toRows = (company: string): Rows => {
    // The same for every company.
    const beside = createRandom(seed);
    if (kind === "snapshot") return snapshot(company, day, word, beside);
    const told = resource(company, word, beside);
    return event(kind === "deleted" && isBare ? { ...told, data: {} } : told, place, day, kind);
  };
  return { kind, day, place, toRows };
}
