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
/** The member that no event states. */
const lasting = ["firm"];
/** Merge rules as of the officers snapshot, and of the officers' daily update. */
const mergeRules: Record<string, MergeRules> = {
  snapshot: { rules: each(MEMBERS, value), replaces, lasting },
  update: { rules: each(MEMBERS, exactly), replaces, lasting },
  [PATCH]: { rules: {}, replaces: [], lasting },
};
const find = (name: string) => mergeRules[name];

const words = fc.constantFrom("A", "B", "C");
const data = fc.record({ name: words, post: words, town: words, firm: words }, { requiredKeys: ["name"] });
const day = fc.integer({ min: 1, max: 9 }).map((number) => `2026-11-0${number}`);
const snapshot = fc.record({ day, data }).map(({ day: at, data: said }): FullStatement[] => {
  return [{ at, tells: "snapshot", place: 1e15, data: said }];
});
const ofLine = (on: string) => ({ at: momentOfUpdate(on), place: Number(on.slice(-2)) });
const removalOf = (on: string, said: Members, members: readonly string[]): FullStatement[] => {
  const of = members.filter((member) => said[member] === undefined);
  return of.length === 0 ? [] : [{ ...ofLine(on), tells: REMOVAL, of: [...of, "etag"], data: {} }];
};
/** A line of the whole record. */
const update = fc.record({ day, data }).map(({ day: on, data: said }): FullStatement[] => {
  return [{ ...ofLine(on), tells: "update", data: said }];
});
/** A line whose blanks are removals. */
const correction = fc.record({ day, data }).map(({ day: on, data: said }): FullStatement[] => {
  return [{ ...ofLine(on), tells: "update", data: said }, ...removalOf(on, said, ["post", "town"])];
});
/** A line of some members, in a correction with its blanks. */
const patch = fc
  .record({
    ...{ day, data, isCorrection: fc.boolean() },
    of: fc.subarray(["post", "town"], { minLength: 1 }),
  })
  .map(({ day: on, data: said, of, isCorrection }): FullStatement[] => {
    const own = Object.fromEntries(Object.entries(said).filter(([member]) => of.includes(member)));
    const given = isCorrection ? of : Object.keys(own);
    const one = { ...ofLine(on), of: [...given, "etag"], data: own };
    return [one, ...(isCorrection ? removalOf(on, said, of) : [])];
  })
  .filter(([one]) => one?.of?.length !== 1);
/** A company line. */
const ofFirm = fc.record({ day, firm: words }).map(({ day: on, firm }): FullStatement[] => {
  return [{ ...ofLine(on), of: ["firm"], data: { firm } }];
});
const event = fc
  .record({ day, data, isGone: fc.boolean() })
  .map(({ day: on, data: said, isGone }): FullStatement[] => {
    const stamp = { at: `${on}T09:00:00.000Z`, event: { uri: "/one", timepoint: Number(on.slice(-2)) } };
    const own = Object.fromEntries(Object.entries(said).filter(([member]) => !lasting.includes(member)));
    return [isGone ? { ...stamp, gone: true } : { ...stamp, data: own }];
  });
/** What each file or event states. */
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
    const told = lasting.includes(member) ? all : sinceEvent;
    const at = told.findLastIndex(isBase);
    const isOf = ({ of = [] }: FullStatement) => of.includes(member);
    const before = told.slice(0, at + 1);
    const stays = !before.some((one) => one.tells === REMOVAL && isOf(one));
    const base = told[at];
    const isBlank = base?.tells === "snapshot" && base.data?.[member] === undefined;
    const patched = told.slice(at + 1).findLast((one) => one.of && isOf(one));
    const stated = first?.event && stays ? first.data?.[member] : undefined;
    const found = base && !isBlank ? base.data?.[member] : stated;
    return [member, patched ? patched.data?.[member] : found] as const;
  });
  return Object.fromEntries(members.filter(([, said]) => said !== undefined));
}

it("becomes what its statements say member by member, in every order in which updates can be applied", () => {
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

it("stays removed if only a change between two snapshots gives it again, even if the first snapshot comes late", () => {
  const event = { uri: "/one", timepoint: 1 };
  const first = { at: "2026-11-01T09:00:00.000Z", event, data: { name: "A", town: "A" } };
  const [removal] = removalOf("2026-11-01", { name: "A", post: "A" }, ["post", "town"]);
  const change = { at: "2026-11-03T24", place: 3, of: ["post", "town", "etag"], data: { town: "B" } };
  const [second, last] = ["2026-11-02", "2026-11-05"].map((at) => {
    return { at, tells: "snapshot", place: 1e15, data: { name: "A" } };
  });
  const statements = (...told: (FullStatement | undefined)[]) => told.flatMap((one) => one ?? []);
  for (const told of [
    statements(first, removal, second, change, last),
    statements(first, removal, change, last, second),
  ])
    expect(fold(keep(told.map((one) => [one])), find)).not.toHaveProperty("town");
});

describe("in a record with so many statements that the oldest are joined", () => {
  const events = ["one", "two", "three", "four", "five"].map((uri, at): FullStatement => {
    const event = { uri: `/${uri}`, timepoint: at + 1 };
    return { at: `2026-10-1${at}T09:00:00.000Z`, event, data: { name: "A", town: "A" } };
  });
  const removal = removalOf("2026-11-03", {}, ["town"]);
  const edition = (at: string) => ({ at, tells: "snapshot", place: 1e15, data: { name: "A" } });
  const change = { ...ofLine("2026-11-05"), of: ["post"], data: { post: "B" } };

  it.each([
    ["before an edition and a change", [...removal, edition("2026-11-04"), change]],
    ["behind an edition", [edition("2026-11-02"), ...removal]],
  ])("it stays removed %s, also once another edition follows", (_where, parts) => {
    for (const first of [events.slice(0, 4), events]) {
      const kept = keep([...first, ...parts].map((one) => [one]));
      expect(kept.filter(({ tells }) => tells !== REMOVAL).length).toBeLessThanOrEqual(6);
      expect(fold(kept, find)).not.toHaveProperty("town");
      expect(fold(keep([kept, [edition("2026-11-06")]]), find)).toEqual({ name: "A" });
    }
  });

  it("it has what an edition that comes late leaves, as removals have no other statements joined", () => {
    const on = (day: string, of: string[], said: Members): FullStatement => {
      return { ...ofLine(`2026-11-${day}`), of, data: said };
    };
    const told = [
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
      expect(fold(keep([...told, late].map((one) => [one])), find)).toEqual(expected);
    }
  });

  it("it stays removed when changes give and remove one member after the other", () => {
    const members = ["post", "town", "term"];
    const said = Object.fromEntries(["name", ...members].map((member) => [member, "A"]));
    const first = { ...events[0], at: "2026-10-01T09:00:00.000Z", data: said };
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
