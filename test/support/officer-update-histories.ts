/** Random histories of officers: what a publisher has held, and the daily updates that say how it changed. */
import type { Random } from "../../scripts/bench/random.ts";
import { aCompanyLine, anUpdateLine, type PersonFields, type UpdateFields } from "./officer-lines.ts";

/** A person line of a snapshot, and of one with the former state. */
type Held = PersonFields &
  Required<Pick<PersonFields, "company" | "number" | "appointed">> & { type: string };

const COMPANIES = ["99000500", "99000501"];
const PERSONS = ["10000001", "10000002", "10000003"];
/** Each serving type with its resigned one. */
const TYPES = [
  ["01", "03"],
  ["00", "02"],
  ["04", "06"],
  ["05", "07"],
] as const;
const VALUES = {
  nationality: ["BRITISH", "IRISH"],
  occupation: ["BAKER", "CLERK"],
  residence: ["ENGLAND", "WALES"],
  born: ["197001", "197102"],
  address: ["1 MOCK LANE", "2 NEW LANE"],
  surname: ["TESTERHOLM", "WEDLOCK"],
};
const KINDS = "new resign reinstate change correct date increment merge retype errored again company".split(
  " ",
);

/** The appointments that are stored at first, and the lines of each update. No person has one role twice at a time. */
export function drawUpdates(random: Random) {
  const held: (Held & { touched: number })[] = [];
  const day = () => `20${10 + random.below(15)}0${1 + random.below(9)}0${1 + random.below(9)}`;
  const members = () =>
    Object.fromEntries(
      Object.entries(VALUES).flatMap(([name, values]) =>
        random.next() < 0.6 ? [[name, random.pick(values)]] : [],
      ),
    );
  const draw = (touched: number): Held & { touched: number } => ({
    ...{
      company: random.pick(COMPANIES),
      number: `${random.pick(PERSONS)}0001`,
      type: random.pick(TYPES)[0],
    },
    ...{ appointed: day(), ...members(), touched },
  });
  const isClash = (one: Held) => held.some((other) => other !== one && roleOf(other) === roleOf(one));
  for (let at = 0; at < 5; at += 1) {
    const one = draw(-1);
    if (!isClash(one)) held.push(random.next() < 0.25 ? resign(one) : one);
  }
  const stored = held
    .filter(() => random.next() < 0.9)
    // The stored day may be another one.
    .map((one) => ({ ...one, ...(random.next() < 0.2 && { appointed: day() }) }));
  const updates = [0, 1, 2, 3].map((update) => {
    const lines = new Set<string>();
    for (let at = 0; at < 3; at += 1) {
      const kind = random.pick(KINDS);
      const fresh = held.filter(({ touched }) => touched < update);
      if (kind === "company") {
        const company = random.pick(COMPANIES);
        lines.add(aCompanyLine(company, random.pick(["MOCK LTD", "RENAMED LTD"])));
      } else if (kind === "new" || fresh.length === 0) {
        const one = draw(update);
        if (isClash(one)) continue;
        held.push(one);
        lines.add(anUpdateLine({ ...one, oldType: one.type, newType: one.type }));
      } else for (const line of changeOne(kind, random.pick(fresh), update)) lines.add(line);
    }
    return [...lines].sort((a, b) => orderOf(a).localeCompare(orderOf(b)));
  });
  return { stored, updates };

  /** Changes an appointment, unless it would clash with another one; returns the lines that say so. */
  function changeOne(kind: string, one: Held & { touched: number }, update: number): string[] {
    const before = { ...one };
    const { type: oldType, number: oldNumber } = one;
    const line = (more: UpdateFields) =>
      anUpdateLine({ ...one, oldType, newType: one.type, oldNumber, ...more });
    const isResigned = TYPES.some(([, type]) => type === oldType);
    if (kind === "resign" ? isResigned : kind === "reinstate" && !isResigned) return [];
    if (kind === "resign") resign(one);
    if (kind === "reinstate") Object.assign(one, { type: servingOf(oldType), resigned: "" });
    if (kind === "date") one.appointed = day();
    if (kind === "increment") one.number = `${oldNumber.slice(0, 8)}000${random.pick([2, 3, 4])}`;
    if (kind === "merge") one.number = `${random.pick(PERSONS)}0001`;
    if (kind === "retype") one.type = { "01": "00", "00": "01", "04": "05", "05": "04" }[oldType] ?? oldType;
    if (isClash(one)) Object.assign(one, before);
    one.touched = update;
    if (kind !== "errored" && kind !== "again") {
      const given = kind === "change" || kind === "correct" ? members() : {};
      if (oldNumber === one.number && oldType === one.type) {
        const isCorrection = kind === "correct" || kind === "date";
        return [
          line({
            ...Object.fromEntries(Object.keys(VALUES).map((name) => [name, ""])),
            surname: "TESTERHOLM",
            ...given,
            isCorrection,
          }),
        ];
      }
      return [line({})];
    }
    const errored = anUpdateLine({ ...one, oldType, newType: "99" });
    held.splice(held.indexOf(one), 1);
    if (kind === "errored") return [errored];
    const again = { ...one, ...members(), appointed: random.pick([one.appointed, day()]) };
    held.push(again);
    return [errored, anUpdateLine({ ...again, oldType, newType: oldType })];
  }
}

function resign<One extends Held>(one: One): One {
  return Object.assign(one, {
    type: TYPES.find(([type]) => type === one.type)?.[1] ?? one.type,
    resigned: "20250101",
  });
}

function servingOf(type: string): string {
  return TYPES.find((types) => types.some((one) => one === type))?.[0] ?? type;
}

/** Company, person and class of role; a member of an LLP and a designated one are one class. */
function roleOf({ company, number, type }: Held): string {
  return [company, number.slice(0, 8), servingOf(type).replace("05", "04")].join();
}

/** Lines of a company, its own line first. */
function orderOf(line: string): string {
  return line.slice(0, 9);
}
