/** Statements of a record give the same result in any order, with repeats, and in parts. */
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Members } from "../../../api/shared/values/members.ts";
import { companyRecord } from "../../../api/resources/company-profile/record.ts";
import type { RecordOrTombstone } from "../../../api/shared/definitions/define-record.ts";
import { absorb, pack, unpack, type Incoming } from "../../../ingest/statements/absorb.ts";
import {
  given,
  each,
  exactly,
  mergeRecords,
  value,
  type MemberRules,
} from "../../../ingest/statements/merge.ts";
import { prune } from "../../../ingest/statements/prune.ts";
import {
  compareStatements,
  fold,
  momentOfUpdate,
  PATCH,
  nameOfRules,
  type MergeRules,
  type FullStatement,
} from "../../../ingest/statements/statement.ts";

const RUNS = { numRuns: 1_000 };
const MEMBERS = ["name", "post", "address", "town"] as const;
const DAYS = ["2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04", "2026-11-05"];

/** A source like the snapshot of persons with significant control, which states members wholly. */
const WHOLE: MemberRules = each(["name", "address"], exactly);
/** A source like the company CSV, whose absent values leave the stored ones. */
const WITH_GAPS: MemberRules = { name: value, post: given((_stored, incoming) => incoming), town: value };

const mergeRules: Record<string, MergeRules> = {
  whole: { rules: WHOLE, replaces: ["whole", PATCH] },
  gaps: { rules: WITH_GAPS, replaces: [] },
};
const findMergeRules = (name: string) => mergeRules[name];

const words = fc.constantFrom("A", "B", "C");
// Plain objects, as the stores return them.
const noNullPrototype = true;
const address = fc.record({ line: words, second: words }, { requiredKeys: ["line"], noNullPrototype });
const data = fc.record(
  { name: words, post: words, address, town: words },
  { requiredKeys: ["name"], noNullPrototype },
);
const day = fc.nat(DAYS.length - 1);

const ofDay = (index: number) => DAYS[index] ?? "";
const pickMembers = (from: Members, names: readonly string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));

const wholeSnapshot = fc.record({ day, data }).map((drawn): FullStatement => {
  return { at: ofDay(drawn.day), tells: "whole", data: pickMembers(drawn.data, ["name", "address"]) };
});
const gapsSnapshot = fc.record({ day, data }).map((drawn): FullStatement => {
  return { at: ofDay(drawn.day), tells: "gaps", data: pickMembers(drawn.data, ["name", "post", "town"]) };
});
/** Timepoints of a stream rise with the moments. */
const eventOf = (uri: string) =>
  fc
    .record({ day, hour: fc.integer({ min: 0, max: 8 }), data, isGone: fc.boolean() })
    .map((drawn): FullStatement => {
      const event = { uri, timepoint: 10 * drawn.day + drawn.hour };
      const at = `${ofDay(drawn.day)}T0${drawn.hour}:00:00.000Z`;
      return drawn.isGone ? { at, event, gone: true } : { at, event, data: drawn.data };
    });
/** A change of members that the whole snapshot also states, like a line of the daily update. */
const patch = fc
  .record({ day, place: fc.nat(2), of: fc.subarray(["name", "address"], { minLength: 1 }), data })
  .map(({ of, ...drawn }): FullStatement => {
    const at = momentOfUpdate(ofDay(drawn.day));
    return { at, place: drawn.place + 1, of, data: pickMembers(drawn.data, of) };
  });
const removal = fc.record({ day, place: fc.nat(2) }).map(({ day: at, place }): FullStatement => {
  return { at: momentOfUpdate(ofDay(at)), place: place + 1, gone: true };
});

/** No two statements of one moment differ, because each day has one edition, and each place one line. */
function historyOf(...kinds: fc.Arbitrary<FullStatement>[]): fc.Arbitrary<FullStatement[]> {
  const keyOf = ({ at, event, tells, place }: FullStatement) => [at, event?.uri, tells, place].join();
  return fc.uniqueArray(fc.oneof(...kinds), { selector: keyOf, minLength: 1, maxLength: 6 });
}

const anyHistory = historyOf(wholeSnapshot, gapsSnapshot, eventOf("/one"), patch, removal);
/** Two event addresses that share a record. */
const sharedHistory = historyOf(eventOf("/one"), eventOf("/two"));
/** Statements of sources whose members can be looked up one by one. */
const exactHistory = historyOf(wholeSnapshot, eventOf("/one"), patch, removal);

/** Statements of companies, which have no daily updates. */
const companyHistory = historyOf(gapsSnapshot, eventOf("/one"));

/** The same statements in another order, some of them twice, in parts. */
const disturbedHistory = fc.oneof({ weight: 4, arbitrary: anyHistory }, sharedHistory).chain((history) =>
  fc.record({
    history: fc.constant(history),
    parts: fc
      .tuple(fc.shuffledSubarray(history, { minLength: history.length }), fc.shuffledSubarray(history))
      .chain(([all, again]) =>
        fc.shuffledSubarray([...all, ...again], { minLength: all.length + again.length }),
      )
      .chain((shuffled) =>
        fc.array(fc.nat(shuffled.length), { maxLength: 3 }).map((cuts) => {
          const places = [0, ...cuts.sort((a, b) => a - b), shuffled.length];
          return places.slice(1).map((end, at) => shuffled.slice(places[at], end));
        }),
      ),
  }),
);

type Prune = typeof prune;

/** The statements that a record keeps of these parts. It is stored and read again after each. */
function keep(parts: readonly (readonly FullStatement[])[], pruneBy: Prune = prune): FullStatement[] {
  return parts.reduce<FullStatement[]>((stored, part) => {
    const statements = pruneBy([...stored, ...part], findMergeRules);
    const folded = fold(statements, findMergeRules);
    return statements.map((statement) => unpack(pack(statement, folded), folded));
  }, []);
}

/** The expected record: looks each member up by itself, from the last statement back. */
function model(history: readonly FullStatement[]): Members | undefined {
  const ordered = history.toSorted(compareStatements);
  const last = ordered.findLastIndex((statement) => nameOfRules(statement) !== PATCH);
  if (last === -1 || ordered[last]?.gone) return undefined;
  const found = MEMBERS.map((name) => [name, lookUp(ordered, name)] as const);
  return Object.fromEntries(found.filter(([, stated]) => stated !== undefined));
}

function lookUp(ordered: readonly FullStatement[], name: string): unknown {
  for (let at = ordered.length - 1; at >= 0; at -= 1) {
    const { gone, of, tells, data: stated } = ordered[at] ?? { at: "" };
    if (gone) return undefined;
    // A patch only states its own members, and nothing if there is no record.
    const isWithoutRecord = of && fold(ordered.slice(0, at), findMergeRules) === undefined;
    const isStated = of ? of.includes(name) && !isWithoutRecord : tells === undefined || name in WHOLE;
    if (isStated) return stated?.[name];
  }
  return undefined;
}

const sameInAnyOrder = (pruneBy: Prune = prune) =>
  fc.property(disturbedHistory, ({ history, parts }) => {
    expect(keep(parts, pruneBy)).toEqual(keep([history], pruneBy));
    expect(fold(keep(parts, pruneBy), findMergeRules)).toEqual(
      fold(prune(history, findMergeRules), findMergeRules),
    );
  });

const sameAsModel = (foldBy: typeof fold = fold) =>
  fc.property(exactHistory, (history) => {
    expect(foldBy(history.toSorted(compareStatements), findMergeRules)).toEqual(model(history));
  });

describe("a history of statements", () => {
  it("gives the same record in any order, with repeats, in parts", () => {
    fc.assert(sameInAnyOrder(), RUNS);
  });

  it("gives the record that its statements say member by member, for sources that leave nothing out", () => {
    fc.assert(sameAsModel(), RUNS);
  });

  it("that is pruned gives the same record as before, whatever comes later", () => {
    const before = fc.property(exactHistory, eventOf("/one"), wholeSnapshot, (history, event, snapshot) => {
      for (const later of [event, snapshot]) {
        // Each day has one edition, and each timepoint one event.
        if (history.some(({ at, tells }) => at === later.at && tells === later.tells)) continue;
        const all = prune([...history, later], findMergeRules);
        expect(
          fold(prune([...prune(history, findMergeRules), later], findMergeRules), findMergeRules),
        ).toEqual(fold(all, findMergeRules));
        expect(fold(all, findMergeRules)).toEqual(model([...history, later]));
      }
    });
    fc.assert(before, RUNS);
  });

  it("keeps no more than it needs: only the later one of two editions in a row", () => {
    const [first, second] = DAYS.map((at): FullStatement => ({ at, tells: "whole", data: { name: at } }));
    expect(first && second && prune([second, first], findMergeRules)).toEqual([second]);
  });
});

it("deletions of any number of addresses are kept as deletions", () => {
  const gone = DAYS.flatMap((day, at): FullStatement[] =>
    [0, 1].map((hour) => {
      const event = { uri: `/${at}/${hour}`, timepoint: 10 * at + hour };
      return { at: `${day}T0${hour}:00:00.000Z`, event, gone: true };
    }),
  );
  expect(prune(gone, findMergeRules).map((one) => one.gone)).toEqual(Array(6).fill(true));
});

describe("a fault in pruning or folding is found within the runs of these tests", () => {
  const isFound = <T>(property: fc.IProperty<T>) => fc.check(property, RUNS).failed;

  it.each<[string, Prune]>([
    [
      "forgets a deletion that something follows",
      (statements, find) => prune(statements, find).filter(({ gone }) => !gone),
    ],
    ["takes statements as they come", (statements) => [...statements]],
    ["keeps only the last statement", (statements, find) => prune(statements, find).slice(-1)],
  ])("that %s", (_fault, faulty) => {
    expect(isFound(sameInAnyOrder(faulty))).toBe(true);
  });

  it.each<[string, typeof fold]>([
    [
      "fills the gaps of a snapshot from the statement before it",
      (statements, find) => fold(statements.map(fillGaps(statements)), find),
    ],
    [
      "ignores deletions",
      (statements, find) =>
        fold(
          statements.filter(({ gone }) => !gone),
          find,
        ),
    ],
    ["lets a snapshot replace everything", (statements, find) => fold(statements.map(withoutRules), find)],
  ])("that %s", (_fault, faulty) => {
    expect(isFound(sameAsModel(faulty))).toBe(true);
  });
});

function fillGaps(all: readonly FullStatement[]): (statement: FullStatement, at: number) => FullStatement {
  return (statement, at) =>
    statement.tells && statement.data
      ? { ...statement, data: { ...all[at - 1]?.data, ...statement.data } }
      : statement;
}

function withoutRules(statement: FullStatement): FullStatement {
  const whole = { ...statement };
  delete whole.tells;
  return whole;
}

it("a record keeps only how a statement differs from it, and can restore the whole statement", () => {
  const packed = fc.property(data, data, (stated, stored) => {
    const kept = pack({ at: "2026-11-01", data: stated }, stored);
    expect(unpack(kept, stored)).toEqual({ at: "2026-11-01", data: stated });
    for (const [name, own] of Object.entries(kept.data ?? {}))
      expect(own).not.toEqual(stored[name as "name"]);
  });
  fc.assert(packed);
});

it.each([
  ["the revision of the batch, if it is higher", 20, 20],
  ["the next one, if the batch has already written it", 10, 11],
  ["the next one, if a later batch has written it", 5, 11],
])("a changed record gets %s", (_what, revision, expected) => {
  const stateAt = (place: number, name: string, stored?: RecordOrTombstone) => {
    const data = { company_number: "99000001", company_name: name, type: "ltd" };
    const event = { uri: "/one", timepoint: place };
    const incoming = { id: "99000001", statements: [{ at: `2026-11-02T09:00:0${place}.000Z`, event, data }] };
    return absorb(stored, incoming, {
      record: companyRecord,
      revision: stored ? revision : 10,
      findMergeRules,
    });
  };
  const stored = stateAt(1, "FIRST LTD") ?? undefined;
  expect(stored?.revision).toBe(10);
  expect(stateAt(2, "SECOND LTD", stored)?.revision).toBe(expected);
});

describe("a deletion", () => {
  const ADDRESS = { kind: "company-profile", uri: "/company/99000001", id: "99000001" };
  const data = { company_number: "99000001", company_name: "SAMPLE LTD", type: "ltd" };
  const event = (timepoint: number) => {
    return { at: `2026-11-02T09:00:0${timepoint}.000Z`, event: { uri: ADDRESS.uri, timepoint } };
  };
  const take = (
    stored: RecordOrTombstone | undefined,
    statement: FullStatement,
    more: Partial<Incoming> = {},
  ) =>
    absorb(
      stored,
      { id: ADDRESS.id, statements: [statement], ...more },
      {
        ...{ record: companyRecord, revision: 1, findMergeRules },
      },
    );
  const stored = take(undefined, { ...event(1), data }) ?? undefined;

  it("leaves a tombstone with the record's address, and so does a later deletion", () => {
    const deleted = take(stored, { ...event(2), gone: true }) ?? undefined;
    expect(deleted).toMatchObject({ gone: true, address: ADDRESS });
    expect(take(deleted, { ...event(3), gone: true })).toMatchObject({ gone: true, address: ADDRESS });
  });

  it("changes nothing if it does not apply to the stored record", () => {
    const isApplicable = (found: RecordOrTombstone | undefined) => found !== stored;
    expect(take(stored, { ...event(2), gone: true }, { isApplicable })).toBeNull();
  });
});

/** Lines of the API, and files without a day in their name, whose only date is that of their load. */
describe("a row without a day", () => {
  const absorbing = (revision: number) => ({ record: companyRecord, revision, findMergeRules });
  const companyOf = (name: string) => ({ company_number: "99000001", company_name: name, type: "ltd" });
  const row = (name: string, place: number): Incoming => {
    return { id: "99000001", statements: [{ at: "", place, data: companyOf(name) }], isUndated: true };
  };
  const dated = (statement: FullStatement): Incoming => ({ id: "99000001", statements: [statement] });
  const snapshotOf = (at: string, name: string, place: number) =>
    dated({ at, tells: "names", place, data: companyOf(name) });
  const ofNames: MergeRules = { rules: { company_name: value }, replaces: ["names"] };
  const find = (name: string) => (name === "names" ? ofNames : undefined);

  /** The stored name after each of these, in batches numbered from 1. */
  function namesAfter(...incoming: Incoming[]): unknown[] {
    let stored: RecordOrTombstone | undefined;
    return incoming.map((item, at) => {
      stored = absorb(stored, item, { ...absorbing(at + 1), findMergeRules: find }) ?? stored;
      return stored && "data" in stored ? (stored.data as Members).company_name : undefined;
    });
  }

  it("counts as later than the record's statements, but earlier than statements of a later day", () => {
    expect(namesAfter(snapshotOf("2026-11-01", "EDITION", 1), row("ROW", 2))).toEqual(["EDITION", "ROW"]);
    const names = namesAfter(
      snapshotOf("2026-11-01", "EDITION", 1),
      row("ROW", 2),
      snapshotOf("2026-10-01", "LATE", 3),
      snapshotOf("2026-12-01", "NEXT", 4),
    );
    expect(names.slice(2)).toEqual(["ROW", "NEXT"]);
  });

  it("with a part of the record leaves the rest, and repeated earlier events change nothing", () => {
    const dataOf = (stored: RecordOrTombstone | undefined) =>
      stored && "data" in stored ? (stored.data as Members) : undefined;
    const takeAll = (history: readonly FullStatement[], from?: RecordOrTombstone) =>
      history.reduce<RecordOrTombstone | undefined>(
        (stored, statement) => absorb(stored, dated(statement), absorbing(10)) ?? stored,
        from,
      );
    const found = fc.property(companyHistory, data, (history, { name, post, town }) => {
      const before = takeAll(history);
      const stated = { name, ...(post && { post }), ...(town && { town }) };
      const statement: FullStatement = { at: "", tells: "gaps", place: 20, data: stated };
      const part: Incoming = { id: "99000001", statements: [statement], isUndated: true };
      const after = absorb(before, part, absorbing(20)) ?? before;
      const stored = dataOf(before);
      expect(dataOf(after)).toEqual(stored ? mergeRecords(stored, stated, WITH_GAPS) : stated);
      // Only events: of equal editions in a row just the first day is kept, so the others would count as new.
      const events = history.filter(({ event }) => event);
      expect(dataOf(takeAll(events, after))).toEqual(dataOf(after));
    });
    fc.assert(found, { numRuns: 300 });
  });

  it("is older than a row of a later batch, even if it is written after that row", () => {
    expect(namesAfter(row("FIRST", 1), row("SECOND", 2), row("FIRST", 1)).at(-1)).toBe("SECOND");
  });

  it("is not replaced by an event that is older than the last one before it, only by a newer one", () => {
    const event = (timepoint: number, name: string) => {
      const at = "2026-11-02T09:00:00.000Z";
      return dated({ at, event: { uri: "/one", timepoint }, data: companyOf(name) });
    };
    const names = namesAfter(
      event(5, "FIVE"),
      row("ROW", 2),
      event(4, "FOUR"),
      event(5, "FIVE"),
      event(6, "SIX"),
    );
    expect(names).toEqual(["FIVE", "ROW", "ROW", "ROW", "SIX"]);
  });
});

describe("an edition that states a record as it is stored", () => {
  const branch_company_details = { parent_company_number: "FC990001" };
  const data = {
    company_number: "99000001",
    company_name: "SAMPLE LTD",
    type: "ltd",
    branch_company_details,
  };
  const stated = (at: string, place: number): Incoming => ({
    id: "99000001",
    statements: [{ at, tells: "names", place, data }],
  });
  const after = (stored: RecordOrTombstone | undefined, item: Incoming, keepsDay: boolean) =>
    absorb(stored, item, {
      ...{ record: companyRecord, revision: item.statements[0]?.place ?? 0 },
      findMergeRules: () => ({ rules: { company_name: value }, replaces: ["names"], keepsDay }),
    });

  it.each([false, true])("changes nothing when it is loaded again (its day is kept: %s)", (keepsDay) => {
    const stored = after(undefined, stated("2026-11-01", 1), keepsDay) ?? undefined;
    // Nothing else is kept besides the record itself.
    expect(stored?.told).toEqual([{ at: "2026-11-01", tells: "names" }]);
    expect(after(stored, stated("2026-11-01", 2), keepsDay)).toBeNull();
    expect(after(stored, stated("2026-10-01", 3), keepsDay)).toBeNull();
  });

  it("of a later day is written only if its source keeps the day", () => {
    const stored = after(undefined, stated("2026-11-01", 1), false) ?? undefined;
    expect(after(stored, stated("2026-12-01", 2), false)).toBeNull();
    expect(after(stored, stated("2026-12-01", 2), true)).toMatchObject({
      etag: stored?.etag,
      told: [{ at: "2026-12-01" }],
    });
  });

  it("of a later day is written if another source has stated the record, too", () => {
    const event = { at: "2026-10-15T09:00:00.000Z", event: { uri: "/one", timepoint: 1 }, data };
    const first = after(undefined, { id: "99000001", statements: [event] }, false) ?? undefined;
    const both = after(first, stated("2026-11-01", 2), false) ?? undefined;
    expect(both?.told).toHaveLength(2);
    expect(after(both, stated("2026-12-01", 3), false)?.told?.at(-1)).toMatchObject({ at: "2026-12-01" });
  });

  it("is written nevertheless if the release finds records by another key", () => {
    const stored = after(undefined, stated("2026-11-01", 1), false);
    const former = { ...stored } as Record<string, unknown>;
    const [key = ""] = Object.keys(companyRecord.keysOf(data));
    delete former[key];
    expect(after(former as unknown as RecordOrTombstone, stated("2026-11-01", 2), false)).toMatchObject(
      companyRecord.keysOf(data),
    );
  });
});
