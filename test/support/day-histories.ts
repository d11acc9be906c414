/**
 * Random short histories of a resource, from daily snapshots and a stream, for tests that load them in another order.
 */
import { createRandom, shuffle, type Random } from "../../scripts/bench/random.ts";
import { event, type Rows } from "./event-batches.ts";

/** One snapshot row or event of a history. It can be loaded for any company. */
export interface HistoryItem {
  kind: "snapshot" | "changed" | "deleted";
  /** `2026-11-05`; the snapshot of a day comes before the events of that day. */
  day: string;
  /** Position in the order of days, from 1; also the timepoint of an event. */
  place: number;
  toRows: (company: string) => Rows;
}

/** How snapshots and events describe a kind of resource. */
export interface DaySource {
  snapshot: (company: string, day: string, word: string, random: Random) => Rows;
  /** The resource in an event; `random` decides which optional members it has. */
  resource: (company: string, word: string, random: Random) => object;
  /** True if a deletion without data still identifies the record. */
  isFoundBare: boolean;
  /** A value that only snapshots state, here for this day: later events leave it unchanged. */
  lasting?: (day: string) => string;
}

const WORDS = ["ALPHA", "BRAVO", "CHARLIE", "DELTA", "ECHO", "FOXTROT", "GOLF"];
const KINDS = ["snapshot", "changed", "changed", "deleted"] as const;

/** Draws a history, in the order of days, with at least one snapshot and one event. */
export function drawDays(daySource: DaySource, random: Random): HistoryItem[] {
  const further = WORDS.slice(2).map(() => random.pick(KINDS));
  return shuffle(["snapshot", "changed", ...further] as HistoryItem["kind"][], random)
    .map((kind) => ({ kind, day: `2026-11-0${1 + random.below(6)}` }))
    .sort((a, b) => a.day.localeCompare(b.day) || Number(isSnapshot(b)) - Number(isSnapshot(a)))
    .map(({ kind, day }, at) => toHistoryItem(daySource, { kind, day, place: at + 1 }, random));
}

/** The same history in another order. Snapshots keep their order: the one loaded later counts as the later one. */
export function reorder(history: readonly HistoryItem[], random: Random): HistoryItem[] {
  const snapshots = history.filter(isSnapshot).values();
  return shuffle([...history], random).map((one) =>
    isSnapshot(one) ? (snapshots.next().value ?? one) : one,
  );
}

/** The word of the last statement; undefined if that one deletes the resource. */
export function lastStatedWord(history: readonly HistoryItem[]): string | undefined {
  const last = history.at(-1);
  return last && last.kind !== "deleted" ? wordAt(last.place) : undefined;
}

/** The day of the last snapshot. */
export function lastEdition(history: readonly HistoryItem[]): string {
  return history.findLast(isSnapshot)?.day ?? "";
}

function isSnapshot({ kind }: Pick<HistoryItem, "kind">): boolean {
  return kind === "snapshot";
}

function wordAt(place: number): string {
  return WORDS[place - 1] ?? "";
}

function toHistoryItem(
  { snapshot, resource, isFoundBare }: DaySource,
  { kind, day, place }: Omit<HistoryItem, "toRows">,
  random: Random,
): HistoryItem {
  const word = wordAt(place);
  const isBare = isFoundBare && random.next() < 0.5;
  const seed = random.below(1000);
  const toRows = (company: string): Rows => {
    // Every company gets the same optional members.
    const same = createRandom(seed);
    if (kind === "snapshot") return snapshot(company, day, word, same);
    const described = resource(company, word, same);
    return event(kind === "deleted" && isBare ? { ...described, data: {} } : described, place, day, kind);
  };
  return { kind, day, place, toRows };
}
