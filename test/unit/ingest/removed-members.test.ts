/** What updates removed stays removed beside events and snapshots, which come in any order. */
import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { each, exactly, value } from "../../../ingest/statements/merge.ts";
import { prune } from "../../../ingest/statements/prune.ts";
import {
  fold,
  momentOfUpdate,
  PATCH,
  type FullStatement,
  type MergeRules,
} from "../../../ingest/statements/statement.ts";

const MEMBERS = ["name", "post", "town"];
const replaces = ["snapshot", "addition", "update", PATCH];
/** As the officers snapshot, and the additions and corrections of the officers' daily update. */
const mergeRules: Record<string, MergeRules> = {
  snapshot: {
    rules: each(MEMBERS, value),
    replaces,
    keepsRemoved: () => ["post", "town"],
  },
  addition: { rules: each(MEMBERS, exactly), replaces },
  update: { rules: each(MEMBERS, exactly), replaces, removesBlanks: true },
};
const find = (name: string) => mergeRules[name];

const words = fc.constantFrom("A", "B", "C");
const data = fc.record({ name: words, post: words, town: words }, { requiredKeys: ["name"] });
const day = fc.integer({ min: 1, max: 6 }).map((number) => `2026-11-0${number}`);
const snapshot = fc.record({ day, data }).map(({ day: at, data: said }): FullStatement => {
  return { at, tells: "snapshot", place: 1e15, data: said };
});
const update = fc.record({ day, data }).map(({ day: on, data: said }): FullStatement => {
  return { at: momentOfUpdate(on), tells: "update", place: Number(on.slice(-2)), data: said };
});
const addition = update.map((one): FullStatement => ({ ...one, tells: "addition" }));
const patch = fc
  .record({ day, data, of: fc.subarray(["post", "town"], { minLength: 1 }) })
  .map(({ day: on, data: said, of }): FullStatement => {
    const own = Object.entries(said).filter(([member]) => of.includes(member));
    return {
      at: momentOfUpdate(on),
      place: Number(on.slice(-2)),
      of: [...of, "etag"],
      data: Object.fromEntries(own),
    };
  });
const event = fc.record({ day, data }).map(({ day: on, data: said }): FullStatement => {
  const timepoint = Number(on.slice(-2));
  return { at: `${on}T09:00:00.000Z`, event: { uri: "/one", timepoint }, data: said };
});
const history = fc.uniqueArray(fc.oneof(snapshot, addition, update, patch, event), {
  selector: ({ at }) => at,
  minLength: 2,
  maxLength: 8,
});

const byMoment = (a: FullStatement, b: FullStatement) => (a.at < b.at ? -1 : 1);
const isUpdate = ({ tells, of }: FullStatement) =>
  tells === "update" || tells === "addition" || of !== undefined;

/** Updates come in their order, and none after a snapshot of a later day: it would not be applied. */
function asApplied(shuffled: readonly FullStatement[]): FullStatement[] {
  const updates = shuffled.filter(isUpdate).sort(byMoment);
  const before = (at: string) => updates.splice(0, updates.findLastIndex((one) => one.at < at) + 1);
  return shuffled.flatMap((one) => {
    if (!isUpdate(one)) return one.tells ? [...before(one.at), one] : [one];
    return updates.splice(0, 1);
  });
}

const keep = (statements: readonly FullStatement[]) =>
  statements.reduce<FullStatement[]>((stored, one) => prune([...stored, one], find), []);

it("comes to the same in every order in which updates are applied", () => {
  const anyOrder = fc.property(
    history.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
    ([all, shuffled]) => {
      const inOrder = keep(all.toSorted(byMoment));
      const kept = keep(asApplied(shuffled));
      expect(fold(kept, find)).toEqual(fold(inOrder, find));
      expect(prune(kept, find)).toEqual(kept);
    },
  );
  fc.assert(anyOrder, { numRuns: 2_000 });
});

it("is not what an event stated before an update that removed it, while no snapshot since gives it", () => {
  const found = fc.property(
    event,
    update,
    fc.uniqueArray(snapshot, { selector: ({ at }) => at }),
    (first, removal, snapshots) => {
      const later = snapshots.filter(({ at }) => at > removal.at).sort(byMoment);
      fc.pre(first.at < removal.at && later.length > 0);
      const held = fold(keep([first, removal, ...later]), find);
      for (const member of ["post", "town"])
        if (removal.data?.[member] === undefined)
          expect(held?.[member]).toEqual(later.at(-1)?.data?.[member]);
    },
  );
  fc.assert(found);
});

it("stays removed where a change gives it again between two snapshots that do not, also if the first comes late", () => {
  const event = { uri: "/one", timepoint: 1 };
  const first = { at: "2026-11-01T09:00:00.000Z", event, data: { name: "A", town: "A" } };
  const removal = { at: "2026-11-01T24", tells: "update", place: 1, data: { name: "A", post: "A" } };
  const change = { at: "2026-11-03T24", place: 3, of: ["post", "town", "etag"], data: { town: "B" } };
  const [second, last] = ["2026-11-02", "2026-11-05"].map((at) => {
    return { at, tells: "snapshot", place: 1e15, data: { name: "A" } };
  });
  const statements = (...told: (FullStatement | undefined)[]) => told.flatMap((one) => one ?? []);
  for (const told of [
    statements(first, removal, second, change, last),
    statements(first, removal, change, last, second),
  ])
    expect(fold(keep(told), find)).not.toHaveProperty("town");
});

it("stays removed where so many statements count that the oldest are joined", () => {
  const events = ["one", "two", "three", "four"].map((uri, at): FullStatement => {
    const event = { uri: `/${uri}`, timepoint: at + 1 };
    return { at: `2026-10-1${at}T09:00:00.000Z`, event, data: { name: "A", town: "A" } };
  });
  const removal = { at: "2026-11-01T24", place: 1, of: ["town"], data: {} };
  const edition = { at: "2026-11-02", tells: "snapshot", place: 1e15, data: { name: "A" } };
  const change = { at: "2026-11-03T24", place: 3, of: ["post"], data: { post: "B" } };
  const kept = keep([...events, removal, edition, change]);
  expect(kept).toHaveLength(6);
  expect(fold(kept, find)).toEqual({ name: "A", post: "B" });
});
