/**
 * Random histories of officers between two snapshots, and a simple model of what their appointments show in the end.
 */
import type { Random } from "../../scripts/bench/random.ts";
import type { PersonFields, UpdateFields } from "./officer-lines.ts";

/** The values that events, snapshots and updates give to members, if they give them. */
export const EVENT = { nationality: "British", occupation: "Clerk", residence: "Wales", born: "197005" };
export const SNAPSHOT = { nationality: "IRISH", occupation: "BAKER", residence: "ENGLAND", born: "197106" };
const UPDATE = { nationality: "FRENCH", occupation: "MASON", residence: "JERSEY", born: "197207" };
type Member = keyof typeof EVENT;
const MEMBERS = Object.keys(EVENT) as Member[];
/** Members that a correction can take away from all appointments of a person. */
const OF_PERSONS: Member[] = ["nationality", "residence", "born"];
const DIRECTOR = "01";
const SECRETARY = "00";
export const ROLES: Record<string, string> = { [DIRECTOR]: "director", [SECRETARY]: "secretary" };

/** One appointment of an officer, as the files leave it. In numbers, `PERSON` stands for the person's digits. */
interface Appointed {
  type: string;
  number: string;
  isElsewhere: boolean;
  /** Members that its last event gives. */
  given: readonly Member[];
  /** Members and values that the last snapshot gives. */
  last: PersonFields;
  /** Members that a correction has taken away. */
  taken: Set<Member>;
}

type Line = UpdateFields & { isElsewhere?: boolean };

/** The history of one officer. It can be loaded for any companies and any person. */
interface History {
  lines: Line[];
  /** For each day a correction of another appointment, which follows the line of the day, or undefined. */
  others: (Line | undefined)[];
  kinds: string[];
  appointments: Appointed[];
}

/** A director who is also the company's secretary, and a director elsewhere. */
export const FIRST = [
  { type: DIRECTOR, isElsewhere: false },
  { type: SECRETARY, isElsewhere: false },
  { type: DIRECTOR, isElsewhere: true },
];

/** Draws three lines about the director between two snapshots; only the last two can move the appointment. */
export function drawHistory(random: Random): History {
  let appointments = FIRST.map((one): Appointed => {
    const last = pickOf(SNAPSHOT, drawMembers(random));
    return { ...one, number: "PERSON0001", given: shownOf(one.type), last, taken: new Set() };
  });
  const [own] = appointments;
  if (!own) throw new Error("no appointment");
  const correct = (corrected: Appointed, given: readonly Member[]) => {
    for (const one of appointments) {
      const all = one === corrected ? MEMBERS : one.number === corrected.number ? OF_PERSONS : [];
      const shown = shownOf(one.type).filter((member) => shownOf(corrected.type).includes(member));
      for (const member of shown) if (all.includes(member) && !given.includes(member)) one.taken.add(member);
    }
  };
  const others: History["others"] = [];
  const correctOther = () => {
    const other = random.pick(appointments.slice(1));
    const given = drawMembers(random);
    correct(other, given);
    const { type, number, isElsewhere } = other;
    return {
      ...pickOf(UPDATE, given),
      oldType: type,
      newType: type,
      number,
      isElsewhere,
      isCorrection: true,
    };
  };
  const kinds = [1, 2, 3].map((at) => {
    const moves = at === 1 ? [] : ["merge", "class", "class"];
    return random.pick(["correction", "correction", "change", "increment", ...moves]);
  });
  const lines = kinds.map((kind, at): Line => {
    const { type: oldType, number: oldNumber } = own;
    if (kind === "class") own.type = oldType === DIRECTOR ? SECRETARY : DIRECTOR;
    if (kind === "merge") own.number = `OTHER${at}0001`;
    if (kind === "increment") own.number = `${oldNumber.slice(0, -1)}${at + 2}`;
    const given = drawMembers(random);
    const isCorrection = kind === "correction";
    if (isCorrection) correct(own, given);
    const met = appointments.find((one) => one !== own && isSame(one, own));
    // When two appointments become one, the other one's event counts as the later one, by its address.
    if (met) own.given = met.given;
    for (const member of met?.taken ?? []) own.taken.add(member);
    appointments = appointments.filter((one) => one !== met);
    const { type: newType, number } = own;
    const line = { ...pickOf(UPDATE, given), oldType, newType, oldNumber, number, isCorrection };
    others.push(random.next() < 0.5 ? undefined : correctOther());
    return line;
  });
  return { lines, others, kinds, appointments };
}

/** True if two appointments have the same identity. */
function isSame(one: Appointed, other: Appointed): boolean {
  const identityOf = ({ type, number, isElsewhere }: Appointed) => [type, number.slice(0, -4), isElsewhere];
  return identityOf(one).join() === identityOf(other).join();
}

/** Members that files give: not birth date and residence for a secretary. */
function shownOf(type: string): readonly Member[] {
  return type === DIRECTOR ? MEMBERS : ["nationality", "occupation"];
}

/** The members after the last snapshot: its own value, else the event's, unless a correction has taken that away. */
export function modelOf({ type, given, last, taken }: Appointed): object {
  const members = shownOf(type).map((member) => {
    const stays = given.includes(member) && !taken.has(member);
    return [member, last[member] ?? (stays ? EVENT[member] : undefined)] as const;
  });
  const shown = Object.fromEntries(members.map(([member, value]) => [member, value?.toUpperCase()]));
  return { role: ROLES[type], ...shown };
}

const pickOf = (values: PersonFields, members: readonly string[]): PersonFields =>
  Object.fromEntries(Object.entries(values).filter(([member]) => members.includes(member)));

const drawMembers = (random: Random) => MEMBERS.filter(() => random.next() < 0.5);
