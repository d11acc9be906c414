/** Owns the rules that read the raw members of each kind of person with significant control. */
import { isMembers } from "../../shared/values/members.ts";
import { identificationMembersOf, membersOfKind, pscKinds, type PscKind } from "./kinds.ts";
import {
  readAddress,
  readAsIs,
  readDate,
  readEnd,
  readFlag,
  readMembers,
  readObject,
  readText,
  readTexts,
  rulesFor,
  type Rule,
  type Rules,
} from "./raw-members.ts";

const NAME_RULES: Rules = new Map(
  rulesFor(["title", "forename", "middle_name", "other_forenames", "surname"], readText),
);

const VERIFICATION_RULES: Rules = new Map([
  ...rulesFor(
    [
      "appointment_verification_start_on",
      "appointment_verification_end_on",
      "appointment_verification_statement_date",
      "appointment_verification_statement_due_on",
      "identity_verified_on",
    ],
    readDate,
  ),
  ...rulesFor(["preferred_name", "authorised_corporate_service_provider_name"], readText),
  ["anti_money_laundering_supervisory_bodies", readTexts],
]);

const readNumber: Rule = (value) =>
  typeof value === "string" && /^\d{1,4}$/.test(value) ? Number(value) : value;
const BIRTH_RULES: Rules = new Map(rulesFor(["day", "month", "year"], readNumber));
// Years that mean "unknown" in real snapshots (bulk formats 2.2).
const UNKNOWN_YEARS: ReadonlySet<unknown> = new Set([0, 9999]);

const readBirth: Rule = (value, field, losses) => {
  if (!isMembers(value)) return value;
  const birth = readMembers(value, BIRTH_RULES, losses, `${field}.`);
  if (UNKNOWN_YEARS.has(birth.year)) {
    losses.leftOut.push({
      field,
      reason: `the year ${String(birth.year)} stands for unknown`,
      done: "dropped",
    });
  } else if (isWithin(birth.month, 1, 12) && isWithin(birth.year, 1000, 9998)) return birth;
  else losses.faults.push({ field, reason: "not a month from 1 to 12", done: "dropped" });
  return undefined;
};

function isWithin(value: unknown, least: number, most: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
}

/** Read elsewhere, so here they are known and dropped. */
const readNothing: Rule = () => undefined;

const MEMBER_RULES: Rules = new Map<string, Rule>([
  ...rulesFor(["name", "nationality", "country_of_residence", "description"], readText),
  ...rulesFor(["address", "principal_office_address"], readAddress),
  ...rulesFor(["ceased", "is_sanctioned"], readFlag),
  ["name_elements", readObject(NAME_RULES)],
  ["date_of_birth", readBirth],
  ["identity_verification_details", readObject(VERIFICATION_RULES)],
  ["natures_of_control", readAsIs],
  ["notified_on", readDate],
  ["ceased_on", readEnd],
]);

const rulesByKind = new Map(pscKinds.map((kind) => [kind, buildRules(kind)]));

/** The rules of a kind: its own members, and those that every record has. */
export function rulesOfKind(kind: PscKind): Rules {
  return rulesByKind.get(kind) ?? new Map<string, Rule>();
}

function buildRules(kind: PscKind): Rules {
  const identification = readObject(new Map(rulesFor(identificationMembersOf(kind), readText)));
  const own = membersOfKind(kind).map((member): [string, Rule] => [
    member,
    member === "identification" ? identification : (MEMBER_RULES.get(member) ?? readAsIs),
  ]);
  const flags = kind.subject === "super-secure" ? [] : ["ceased"];
  return new Map([...own, ["etag", readAsIs], ...rulesFor(["kind", "links", ...flags], readNothing)]);
}
