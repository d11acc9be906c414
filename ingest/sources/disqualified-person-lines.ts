/** Owns the merging of a disqualified person's lines into one record. */
import { disqualifiedOfficerRecord } from "../../api/resources/disqualified-officer/record.ts";
import { RecordError } from "../../api/core/errors.ts";
import {
  compareDisqualifications,
  isSameDisqualification,
  normaliseDisqualification,
  normalisePermission,
  normalisePerson,
  normalisePersonAddress,
  normaliseVariation,
} from "../../api/resources/disqualified-officer/normalise.ts";
import type {
  Disqualification,
  DisqualifiedOfficer,
  PermissionToAct,
} from "../../api/resources/disqualified-officer/record.ts";
import type { Outcome, RawRow } from "./define-source.ts";
import { isUnreadable, type ReadRow, type UnreadableRow } from "../readers/read-rows.ts";
import {
  readDisqualificationLine,
  readPermissionLine,
  readPersonLine,
  readVariationLine,
} from "./disqualified-officers-layout.ts";
import { toOutcome } from "./outcomes.ts";

/** Names of the tellings: of a person of whom every line was read, */
export const WHOLE = "disqualified-officers-snapshot";
/** and of one of whom some line was not. */
export const IN_PART = "disqualified-officers-snapshot-in-part";

/** A record in the making. */
interface Draft {
  /** The line of type 1 and what it says; absent until it has been read. */
  begun?: { row: RawRow; person: DisqualifiedOfficer; address: Disqualification["address"] };
  disqualifications: Disqualification[];
  /** The disqualification that a variation would belong to; null when its line could not be read. */
  current: Disqualification | null;
  permissions: PermissionToAct[];
  warnings: string[];
}

/**
 * The lines of one person to outcomes, in file order: the record at its line of type 1, `skipped` at the
 * lines that went into it, `refused` at those that could not be read. Rows that could not be decoded are among `rows`
 * and have no outcome. `isWhole`: no line of the person is elsewhere.
 */
export function mapPersonLines(rows: ReadRow[], isWhole: boolean): Outcome[] {
  const draft: Draft = { disqualifications: [], current: null, permissions: [], warnings: [] };
  const outcomes = rows.flatMap((row) => {
    if (isUnreadable(row)) return passOver(row, draft);
    return toOutcome(row, () => addLine(row, draft));
  });
  const isEachRead = outcomes.length === rows.length && outcomes.every(({ kind }) => kind === "skipped");
  const tells = isWhole && isEachRead ? WHOLE : IN_PART;
  return outcomes.map((outcome) =>
    outcome.row === draft.begun?.row ? finishPerson(draft.begun, draft, tells) : outcome,
  );
}

/** What follows an undecoded line may vary its disqualification, unless the line shows that it is of another type. */
function passOver({ bytes }: UnreadableRow, draft: Draft): [] {
  const type = Buffer.from(bytes, "base64").toString("latin1").charAt(0);
  if (type !== "3" && type !== "4") draft.current = null;
  return [];
}

function addLine(row: RawRow, draft: Draft): { kind: "skipped" } {
  const type = row.text.charAt(0);
  if (!/[1234]/.test(type)) throw new RecordError(`is not known: ${type}`, "record_type");
  if (type === "1") beginPerson(row, draft);
  else if (!draft.begun) throw new RecordError("belongs to a person whose own record is not in the file");
  else if (type === "2") addDisqualification(row.text, draft.begun.address, draft);
  else if (type === "3") draft.permissions.push(normalisePermission(readPermissionLine(row.text)));
  else addVariation(row.text, draft.current);
  return { kind: "skipped" };
}

function beginPerson(row: RawRow, draft: Draft): void {
  if (draft.begun) throw new RecordError("the person has a record already");
  const raw = readPersonLine(row.text);
  const person = normalisePerson(raw, draft.warnings);
  draft.begun = { row, person, address: normalisePersonAddress(raw) };
}

function addDisqualification(text: string, address: Disqualification["address"], draft: Draft): void {
  draft.current = null;
  const added = normaliseDisqualification(readDisqualificationLine(text), address, draft.warnings);
  const known = draft.disqualifications.find((item) => isSameDisqualification(item, added));
  if (known) addCompanies(known, added.company_names ?? []);
  else draft.disqualifications.push(added);
  draft.current = known ?? added;
}

function addCompanies(known: Disqualification, names: string[]): void {
  const all = new Set([...(known.company_names ?? []), ...names]);
  if (all.size > 0) known.company_names = [...all];
}

function addVariation(text: string, current: Disqualification | null): void {
  if (!current) throw new RecordError("follows no disqualification that could be read");
  const variation = normaliseVariation(readVariationLine(text));
  const isLatest = !current.last_variation || current.last_variation.varied_on <= variation.varied_on;
  if (isLatest) current.last_variation = variation;
}

function finishPerson({ row, person }: NonNullable<Draft["begun"]>, draft: Draft, tells: string): Outcome {
  return toOutcome(row, (warnings) => {
    const { permissions, disqualifications } = draft;
    if (disqualifications.length === 0)
      throw new RecordError("no disqualification of this person could be read");
    const data: DisqualifiedOfficer = {
      ...person,
      disqualifications: [...disqualifications].sort(compareDisqualifications),
      ...(permissions.length > 0 && { permissions_to_act: permissions }),
    };
    warnings.push(...draft.warnings);
    return { kind: "record", record: disqualifiedOfficerRecord, data, tells };
  });
}
