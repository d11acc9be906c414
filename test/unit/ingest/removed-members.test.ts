/** Members that updates removed stay removed, in whatever order events and snapshots come. */
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Members } from "../../../api/shared/values/members.ts";
import { each, exactly, value } from "../../../ingest/statements/merge.ts";
import { prune } from "../../../ingest/statements/prune.ts";
import {
  fold,
  LASTING,
  momentOfUpdate,
  PATCH,
  REMOVAL,
  type FullStatement,
  type MergeRules,
} from "../../../ingest/statements/statement.ts";

const MEMBERS = ["name", "post", "town", "firm"];
const replaces = ["snapshot", "update", PATCH, LASTING];
/** Members that no event states. */
const lasting = ["firm"];
/** Merge rules like those of the officers snapshot and the officers' daily update. */
const mergeRules: Record<string, MergeRules> = {
  snapshot: { rules: each(MEMBERS, value), replaces, lasting },
  update: { rules: each(MEMBERS, exactly), replaces, lasting },
  [PATCH]: { rules: {}, replaces: [], lasting },
};
const find = (name: string) => mergeRules[name];

const words = fc.constantFrom("A", "B", "C");
const data = fc.record({ name: words, post: words, town: words, firm: words }, { requiredKeys: ["name"] });
const day = fc.integer({ min: 1, max: 9 }).map((number) => `2026-11-0${number}`);
const snapshot = fc.record({ day, data }).map((drawn): FullStatement[] => {
  return [{ at: drawn.day, tells: "snapshot", place: 1e15, data: drawn.data }];
});
const ofLine = (on: string) => ({ at: momentOfUpdate(on), place: Number(on.slice(-2)) });
/** The removal of those of these members that a line of this day leaves blank. */
const removalOf = (on: string, stated: Members, members: readonly string[]): FullStatement[] => {
  const of = members.filter((member) => stated[member] === undefined);
  return of.length === 0 ? [] : [{ ...ofLine(on), tells: REMOVAL, of: [...of, "etag"], data: {} }];
};
/** A line of the whole record. */
const update = fc.record({ day, data }).map((drawn): FullStatement[] => {
  return [{ ...ofLine(drawn.day), tells: "update", data: drawn.data }];
});
/** A line whose blanks are removals. */
const correction = fc.record({ day, data }).map((drawn): FullStatement[] => {
  const line = { ...ofLine(drawn.day), tells: "update", data: drawn.data };
  return [line, ...removalOf(drawn.day, drawn.data, ["post", "town"])];
});
/** A line of some members; the blanks of a correction are removals. */
const patch = fc
  .record({
    ...{ day, data, isCorrection: fc.boolean() },
    of: fc.subarray(["post", "town"], { minLength: 1 }),
  })
  .map(({ of, isCorrection, ...drawn }): FullStatement[] => {
    const own = Object.fromEntries(Object.entries(drawn.data).filter(([member]) => of.includes(member)));
    const given = isCorrection ? of : Object.keys(own);
    const line = { ...ofLine(drawn.day), of: [...given, "etag"], data: own };
    return [line, ...(isCorrection ? removalOf(drawn.day, drawn.data, of) : [])];
  })
  .filter(([one]) => one?.of?.length !== 1);
/** A company line. */
const ofFirm = fc.record({ day, firm: words }).map(({ day: on, firm }): FullStatement[] => {
  return [{ ...ofLine(on), of: ["firm"], data: { firm } }];
});
const event = fc.record({ day, data, isGone: fc.boolean() }).map((drawn): FullStatement[] => {
  const { place: timepoint } = ofLine(drawn.day);
  const stamp = { at: `${drawn.day}T09:00:00.000Z`, event: { uri: "/one", timepoint } };
  const own = Object.fromEntries(Object.entries(drawn.data).filter(([member]) => !lasting.includes(member)));
  return [drawn.isGone ? { ...stamp, gone: true } : { ...stamp, data: own }];
});
/** The statements of a file's line or of an event. */
const kinds = fc.oneof(
  { arbitrary: patch, weight: 5 },
  { arbitrary: fc.oneof(snapshot, ofFirm, event), weight: 4 },
  { arbitrary: fc.oneof(update, correction), weight: 1 },
);
const history = fc.uniqueArray(kinds, {
  selector: ([one]) => one?.at,
  minLength: 2,
  maxLength: 12,
  size: "max",
});

const momentOf = ([one]: readonly FullStatement[]) => one?.at ?? "";
const byMoment = (a: FullStatement[], b: FullStatement[]) => (momentOf(a) < momentOf(b) ? -1 : 1);
const isUpdate = ([one]: readonly FullStatement[]) => one?.tells === "update" || one?.of !== undefined;
const isSnapshot = ([one]: readonly FullStatement[]) => one?.tells === "snapshot";

/** Updates come in order, and none after a snapshot of a later day, because it would not be applied. */
function asApplied(shuffled: readonly FullStatement[][]): FullStatement[][] {
  const updates = shuffled.filter(isUpdate).sort(byMoment);
  const before = (at: string) => updates.splice(0, updates.findLastIndex((one) => momentOf(one) < at) + 1);
  return shuffled.flatMap((one) => {
    if (!isUpdate(one)) return isSnapshot(one) ? [...before(momentOf(one)), one] : [one];
    return updates.splice(0, 1);
  });
}

const keep = (parts: readonly (readonly FullStatement[])[]) =>
  parts.reduce<FullStatement[]>((stored, part) => prune([...stored, ...part], find), []);

/**
 * The expected record, member by member. The last event states a member, unless a later line removed it. The last
 * snapshot or whole line overrides that, but blanks of a snapshot do not count. Later lines of some members override
 * that. Events never state `firm`.
 */
function model(all: readonly FullStatement[]): Members | undefined {
  const isBase = ({ tells }: FullStatement) => tells === "snapshot" || tells === "update";
  const sinceEvent = all.slice(
    Math.max(
      0,
      all.findLastIndex((one) => one.event),
    ),
  );
  const [first] = sinceEvent;
  if (!sinceEvent.some(isBase) && (!first?.event || first.gone)) return undefined;
  const members = MEMBERS.map((member) => {
    const counting = lasting.includes(member) ? all : sinceEvent;
    const at = counting.findLastIndex(isBase);
    const isOf = ({ of = [] }: FullStatement) => of.includes(member);
    const before = counting.slice(0, at + 1);
    const isRemoved = before.some((one) => one.tells === REMOVAL && isOf(one));
    const base = counting[at];
    const isBlank = base?.tells === "snapshot" && base.data?.[member] === undefined;
    const patched = counting.slice(at + 1).findLast((one) => one.of && isOf(one));
    const stated = first?.event && !isRemoved ? first.data?.[member] : undefined;
    const found = base && !isBlank ? base.data?.[member] : stated;
    return [member, patched ? patched.data?.[member] : found] as const;
  });
  return Object.fromEntries(members.filter(([, stated]) => stated !== undefined));
}

it("a record is what its statements say member by member, in every order in which updates can be applied", () => {
  const anyOrder = fc.property(
    history.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
    ([all, shuffled]) => {
      const kept = keep(asApplied(shuffled));
      const expected = model(all.toSorted(byMoment).flat());
      expect(fold(kept, find)).toEqual(expected);
      expect(prune(kept, find)).toEqual(kept);
    },
  );
  fc.assert(anyOrder, { numRuns: 3_000 });
});

it("a member stays removed if only a change between two snapshots gave it again, even if the first one comes late", () => {
  const event = { uri: "/one", timepoint: 1 };
  const first = { at: "2026-11-01T09:00:00.000Z", event, data: { name: "A", town: "A" } };
  const [removal] = removalOf("2026-11-01", { name: "A", post: "A" }, ["post", "town"]);
  const change = { at: "2026-11-03T24", place: 3, of: ["post", "town", "etag"], data: { town: "B" } };
  const [second, last] = ["2026-11-02", "2026-11-05"].map((at) => {
    return { at, tells: "snapshot", place: 1e15, data: { name: "A" } };
  });
  for (const ordered of [
    [first, removal, second, change, last],
    [first, removal, change, last, second],
  ]) {
    const parts = ordered.flatMap((one) => (one ? [[one]] : []));
    expect(fold(keep(parts), find)).not.toHaveProperty("town");
  }
});

describe("a removed member of a record with so many statements that the oldest are joined", () => {
  const events = ["one", "two", "three", "four", "five"].map((uri, at): FullStatement => {
    const event = { uri: `/${uri}`, timepoint: at + 1 };
    return { at: `2026-10-1${at}T09:00:00.000Z`, event, data: { name: "A", town: "A" } };
  });
  const removal = removalOf("2026-11-03", {}, ["town"]);
  const edition = (at: string) => ({ at, tells: "snapshot", place: 1e15, data: { name: "A" } });
  const change = { ...ofLine("2026-11-05"), of: ["post"], data: { post: "B" } };

  it.each([
    ["before an edition and a change", [...removal, edition("2026-11-04"), change]],
    ["after an edition", [edition("2026-11-02"), ...removal]],
  ])("stays removed %s, also once another edition follows", (_where, parts) => {
    for (const first of [events.slice(0, 4), events]) {
      const kept = keep([...first, ...parts].map((one) => [one]));
      expect(kept.filter(({ tells }) => tells !== REMOVAL).length).toBeLessThanOrEqual(6);
      expect(fold(kept, find)).not.toHaveProperty("town");
      expect(fold(keep([kept, [edition("2026-11-06")]]), find)).toEqual({ name: "A" });
    }
  });

  it("is given again only if a late edition has it, because removals are not joined with other statements", () => {
    const on = (day: string, of: string[], stated: Members): FullStatement => {
      return { ...ofLine(`2026-11-${day}`), of, data: stated };
    };
    const statements = [
      { ...events[0], at: "2026-11-02T09:00:00.000Z", data: { name: "A", post: "A" } },
      edition("2026-11-09"),
      on("10", ["name", "post", "town"], { name: "A" }),
      ...removalOf("2026-11-10", {}, ["post", "town"]),
      on("11", ["post"], { post: "B" }),
      on("13", ["firm"], { firm: "B" }),
      on("14", ["name", "town"], { name: "A" }),
      ...removalOf("2026-11-14", {}, ["town"]),
    ] as FullStatement[];
    for (const late of [
      edition("2026-11-12"),
      { ...edition("2026-11-12"), data: { name: "A", post: "C" } },
    ]) {
      const expected = { firm: "B", ...late.data };
      expect(fold(keep([...statements, late].map((one) => [one])), find)).toEqual(expected);
    }
  });

  it("stays removed in an event when changes remove and give one member after the other", () => {
    const members = ["post", "town", "term"];
    const data = Object.fromEntries(["name", ...members].map((member) => [member, "A"]));
    const first = { ...events[0], at: "2026-10-01T09:00:00.000Z", data };
    const parts = members.flatMap((member, at) => {
      const [taken, given] = [2 * at + 1, 2 * at + 2].map((number) => `2026-11-0${number}`);
      const change = { ...ofLine(given ?? ""), of: [member], data: { [member]: "B" } };
      return [...removalOf(taken ?? "", {}, [member]), change];
    });
    const kept = keep([first, ...parts].map((one) => [one]));
    expect(fold(kept, find)).toEqual({ name: "A", post: "B", town: "B", term: "B" });
    expect(fold(keep([kept, [edition("2026-11-08")]]), find)).toEqual({ name: "A" });
  });
});
