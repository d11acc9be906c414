/** Owns the stamps of the last event and snapshot by which a release before statements knew records. Pure. */
import type { Members } from "../../api/core/members.ts";
import type { EventStamp, HeldRecord } from "../../api/resources/define-record.ts";
import type { Told } from "./statement.ts";

interface FormerSnapshot {
  day: string;
  tells?: string;
  told?: Members;
  before?: FormerSnapshot[];
}

interface FormerStamps {
  event?: EventStamp;
  snapshot?: FormerSnapshot;
}

/** The statements that a record's stamps stand for; of a record without any, one that counts as earlier than all others. */
export function statementsOfFormer(held: HeldRecord, data: Members | undefined): Told[] {
  // The cast: what a former release wrote.
  const { event, snapshot } = held as unknown as FormerStamps;
  const told = data && { data };
  const layers = snapshot ? [...(snapshot.before ?? []), snapshot].map((one) => toTold(one, data)) : [];
  if (!event) return layers.length > 0 ? layers : [{ at: "", place: held.revision, ...told }];
  const { uri, timepoint, published_at: at } = event;
  const ofEvent = { at, event: { uri, timepoint }, ...told };
  return snapshot && at < snapshot.day ? [ofEvent, ...layers] : [ofEvent];
}

function toTold({ day, tells, told }: FormerSnapshot, data: Members | undefined): Told {
  const said = told ?? data;
  return { at: day, ...(tells !== undefined && { tells }), ...(said && { data: said }) };
}
