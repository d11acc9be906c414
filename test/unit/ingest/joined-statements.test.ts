/** Records with more statements than they keep: the two oldest are joined, and an event stays an event. */
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Members } from "../../../api/shared/values/members.ts";
import { value, type MemberRules } from "../../../ingest/statements/merge.ts";
import { prune } from "../../../ingest/statements/prune.ts";
import {
  fold,
  momentOfUpdate,
  type FullStatement,
  type MergeRules,
} from "../../../ingest/statements/statement.ts";

const MEMBERS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const RULES: MemberRules = Object.fromEntries(MEMBERS.map((member) => [member, value]));
const gaps: MergeRules = { rules: RULES, replaces: [] };
const mergeRules: Record<string, MergeRules> = { gaps, others: gaps };
const find = (name: string) => mergeRules[name];

const event = (day: string, timepoint: number, data: Members): FullStatement => {
  return { at: `${day}T09:00:00.000Z`, event: { uri: "/one", timepoint }, data };
};
const editions = MEMBERS.map((member, at): FullStatement => {
  return { at: `2026-0${at + 2}-01`, tells: "gaps", place: at + 1, data: { [member]: at } };
});
const alternating = editions.map((one, at) => (at % 2 === 0 ? one : { ...one, tells: "others" }));
const patches = MEMBERS.map((member, at): FullStatement => {
  return { at: momentOfUpdate(`2026-0${at + 2}-01`), place: at + 1, of: [member], data: { [member]: at } };
});

/** The statements that a record keeps of these, which arrive one after the other. */
const keep = (...statements: FullStatement[]) =>
  statements.reduce<FullStatement[]>((stored, one) => prune([...stored, one], find), []);
const contentOf = (...statements: FullStatement[]) => fold(keep(...statements), find);

const KINDS: [string, FullStatement[]][] = [
  ["editions that each leave something out", editions],
  ["editions of two sources in turn that each leave something out", alternating],
  ["changes of one member each", patches],
];
describe.each(KINDS)("many %s", (_what, parts) => {
  const first = event("2026-01-01", 1, { term: "first" });
  const second = event("2026-01-15", 2, { term: "second" });
  const all = Object.fromEntries(MEMBERS.map((member, at) => [member, at]));

  it("are kept as a few statements that make the same record", () => {
    const kept = keep(first, ...parts);
    expect(kept).toHaveLength(6);
    expect(kept[0]).toEqual(first);
    expect(fold(kept, find)).toEqual({ term: "first", ...all });
  });

  it("still count when an older event arrives late", () => {
    for (let at = 0; at <= parts.length; at += 1) {
      const statements = [first, ...parts.slice(0, at), second, ...parts.slice(at)];
      expect(contentOf(...statements)).toEqual({ term: "second", ...all });
    }
  });

  it("give the same record in any order with events of two addresses", () => {
    const other: FullStatement = {
      ...event("2026-01-10", 7, { term: "other" }),
      event: { uri: "/two", timepoint: 7 },
    };
    const gone: FullStatement = {
      at: "2026-01-20T09:00:00.000Z",
      event: { uri: "/one", timepoint: 3 },
      gone: true,
    };
    const events = [first, second, other, gone];
    const anyOrder = fc.property(
      fc.shuffledSubarray(events, { minLength: events.length }),
      fc.array(fc.nat(parts.length), { minLength: events.length, maxLength: events.length }),
      (shuffled, places) => {
        const mixed = [...parts];
        for (const [at, one] of shuffled.entries()) mixed.splice(places[at] ?? 0, 0, one);
        expect(contentOf(first, ...mixed)).toEqual(contentOf(...events, ...parts));
      },
    );
    fc.assert(anyOrder, { numRuns: 300 });
  });
});
