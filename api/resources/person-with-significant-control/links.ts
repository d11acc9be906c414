/** Owns the links of a raw person with significant control, which contain identity, statement and joining id. */
import { isMembers } from "../../core/members.ts";
import { RecordError } from "../../core/errors.ts";
import { readMembers, readObject, readText, textOf, type Losses, type Rules } from "./raw-members.ts";

const SELF = /^\/company\/([^/]+)\/persons-with-significant-control\/[^/]+\/([^/]+)$/;
const STATEMENT = /\/persons-with-significant-control-statements\/([^/]+)$/;
const NOTIFICATIONS = /^\/persons-with-significant-control\/([^/]+)\/notifications$/;

const RULES: Rules = new Map([
  ["self", readText],
  ["statement", readText],
  ["persons_with_significant_control", readObject(new Map([["notifications", readText]]))],
]);

/** The facts in the links. */
export interface PscLinks {
  company: string;
  id: string;
  statementId?: string;
  pscId?: string;
}

/**
 * Reads the links; `uri` is used when there is no link to the resource itself. Its segment is not compared with
 * the kind: files contain legal persons under the path of individuals. Throws RecordError without an identity.
 */
export function readPscLinks(raw: unknown, uri: string | undefined, losses: Losses): PscLinks {
  const links = isMembers(raw) ? readMembers(raw, RULES, losses, "links.") : {};
  const [, company, id] = SELF.exec(textOf(links.self ?? uri)) ?? [];
  if (!company || !id)
    throw new RecordError("has no link to the resource itself, so its id is unknown", "links.self");
  const read: PscLinks = { company, id };
  const statementId = readId(links.statement, STATEMENT, "links.statement", losses);
  if (statementId) read.statementId = statementId;
  const joined = links.persons_with_significant_control;
  const notifications = isMembers(joined) ? joined.notifications : joined;
  const pscId = readId(notifications, NOTIFICATIONS, "links.persons_with_significant_control", losses);
  if (pscId) read.pscId = pscId;
  return read;
}

function readId(link: unknown, pattern: RegExp, field: string, losses: Losses): string | undefined {
  if (link === undefined) return undefined;
  const id = typeof link === "string" ? pattern.exec(link)?.[1] : undefined;
  if (!id) losses.faults.push({ field, reason: "is not a link of this kind", done: "dropped" });
  return id;
}
