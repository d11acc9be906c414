/**
 * Stores how many appointments of an officer are inactive, if the officer has very many
 * (`shared/stores/collections/officer-counts.ts`). They are counted again whenever the officer's search document is
 * made from MongoDB, and when one of the officer's companies is created, removed, dissolved or restored.
 */
import { KEPT_FROM, OFFICER_COUNTS } from "../../api/shared/stores/collections/officer-counts.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { countInactive, hasEnded } from "../../api/resources/officer-appointment-list/companies.ts";
import type { CompanyProfile } from "../../api/resources/company-profile/members.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import {
  isTombstone,
  type RecordOrTombstone,
  type RecordDefinition,
} from "../../api/shared/definitions/define-record.ts";
import { appointmentRecord } from "../../api/resources/officer-appointment/record.ts";
import { drawRevision } from "../history/revisions.ts";
import type { Change } from "../log/changes.ts";

// Limit: companies whose officers are looked up at once.
const COMPANIES_AT_ONCE = 500;

type Counted = Pick<Stores, "redis"> & { mongo: Pick<Stores["mongo"], "records" | "documents" | "persons"> };

/** Counts and stores. `version`: drawn before the appointments were read. */
export async function keepInactive(
  { records, documents }: Counted["mongo"],
  { id, storedIds, version }: { id: string; storedIds: readonly string[]; version: number },
): Promise<void> {
  const inactive = await countInactive(records, { officer_id: storedIds });
  await documents.raise(OFFICER_COUNTS, [{ _id: id, version, inactive }], { rank: "version" });
}

/** Counts again for officers who serve companies that these changes create, remove, dissolve or restore. */
export async function recountAffectedOfficers(stores: Counted, changes: readonly Change[]): Promise<void> {
  const { records, documents, persons } = stores.mongo;
  const { collection } = companyRecord;
  const numbers = changes.flatMap(({ state, ids, standings }) =>
    state === "written" && standings ? standings : (ids[collection] ?? []),
  );
  if (numbers.length === 0 || !(await documents.fetchAny(OFFICER_COUNTS))) return;
  const version = await drawRevision(stores);
  const officers = new Set<string>();
  for (let at = 0; at < numbers.length; at += COMPANIES_AT_ONCE) {
    const filter = { company_number: numbers.slice(at, at + COMPANIES_AT_ONCE), is_resigned: false };
    for (const id of await records.fetchKeys(appointmentRecord, filter, "officer_id")) officers.add(id);
  }
  const real = await persons.fetchRealIds([...officers]);
  const shown = [...new Set([...officers].map((id) => real.get(id) ?? id))];
  if (shown.length === 0) return;
  for (const { _id } of await documents.fetchAll(OFFICER_COUNTS, { _id: shown }))
    await countAgain(stores.mongo, String(_id), version);
}

/** Counts again for all of them. A count is wrong if it still differs after `settle` has waited for running writes. */
export async function recountInactive(
  { mongo, redis }: Counted,
  { isRepair, settle }: { isRepair: boolean; settle: () => Promise<unknown> },
) {
  let wrong = await listWrong(mongo);
  if (wrong.length > 0) {
    await settle();
    wrong = await listWrong(mongo, wrong);
  }
  for (const id of isRepair ? wrong : []) await countAgain(mongo, id, await drawRevision({ mongo, redis }));
  const left = isRepair ? await listWrong(mongo, wrong) : wrong;
  return { different: left.length, repaired: wrong.length - left.length };
}

/** The officers, of all or of these, whose stored count differs from their records. */
async function listWrong(mongo: Counted["mongo"], among?: string[]): Promise<string[]> {
  const wrong: string[] = [];
  const { documents, persons, records } = mongo;
  const kept = await documents.fetchAll(OFFICER_COUNTS, among ? { _id: among } : {});
  const real = await persons.fetchRealIds(kept.map(({ _id }) => String(_id)));
  for (const { _id, inactive } of kept) {
    const id = String(_id);
    const filter = { officer_id: await fetchStoredIds(mongo, id) };
    // Nothing reads the count of an officer who is shown under another id, or who now serves few companies.
    const serving = { ...filter, is_resigned: false };
    if (real.has(id) || (await records.count(appointmentRecord, serving)) <= KEPT_FROM) continue;
    if ((await countInactive(records, filter)) !== inactive) wrong.push(id);
  }
  return wrong;
}

async function countAgain(mongo: Counted["mongo"], id: string, version: number): Promise<void> {
  await keepInactive(mongo, { id, storedIds: await fetchStoredIds(mongo, id), version });
}

async function fetchStoredIds({ persons }: Counted["mongo"], id: string): Promise<string[]> {
  return [id, ...((await persons.fetchDerivedIds([id])).get(id) ?? [])];
}

/** By company number, whether the company has ended; undefined if it is deleted. */
type Ended = Map<string, boolean | undefined>;

/** The companies that a batch creates, removes, dissolves or restores. */
export class StandingNotes {
  private readonly before: Ended = new Map();
  private readonly now: Ended = new Map();

  noteLeft(record: RecordDefinition, stored: readonly RecordOrTombstone[]): void {
    note(this.before, record, stored);
  }

  noteMade(record: RecordDefinition, stored: readonly RecordOrTombstone[]): void {
    note(this.now, record, stored);
  }

  list(): string[] {
    return [...this.now].flatMap(([number, isEnded]) => (this.before.get(number) === isEnded ? [] : number));
  }
}

function note(ended: Ended, { collection }: RecordDefinition, stored: readonly RecordOrTombstone[]): void {
  for (const item of collection === companyRecord.collection ? stored : [])
    ended.set(item._id, isTombstone(item) ? undefined : hasEnded(item.data as CompanyProfile));
}
