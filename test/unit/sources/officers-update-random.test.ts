/** The officers' daily update over random histories: what is run again, wholly or after an interruption, changes nothing. */
import { expect, it } from "@jest/globals";
import { isTombstone, type RecordOrTombstone } from "../../../api/shared/definitions/define-record.ts";
import { officersUpdate } from "../../../ingest/sources/officers-update.ts";
import { createRandom } from "../../../scripts/bench/random.ts";
import { drawUpdates } from "../../support/officer-update-histories.ts";
import { StoredAppointments, type ChangesPlan } from "../../support/stored-appointments.ts";

const HISTORIES = 40;

it.each(Array.from({ length: HISTORIES }, (_, at) => at))("history %i", (at) => {
  const random = createRandom(20_261_128 + at);
  const { stored: first, updates } = drawUpdates(random);
  const stored = new StoredAppointments();
  for (const person of first) stored.add(person);
  for (const [update, lines] of updates.entries()) {
    const run = 4322 + update;
    const before = new Map(stored.all);
    stored.update(lines, { run });
    const after = contentOf(stored);
    stored.update(lines, { run });
    expect(contentOf(stored)).toEqual(after);
    const whole = new Map(stored.all);

    const outcomes = () => officersUpdate.mapRows(rowsOf(lines), { run: String(run) });
    reset(stored, before);
    const writes = inOrder(stored.plan(outcomes()));
    for (let written = 0; written <= writes.length; written += 1) {
      reset(stored, before);
      stored.write({ ...stored.plan(outcomes()), rewritten: writes.slice(0, written) });
      stored.write(stored.plan(outcomes(), { isAgain: true }));
      expect([written, contentOf(stored)]).toEqual([written, after]);
    }

    // Lines of a company or of a person may then reach appointments that were not stored when they were applied.
    for (const [earlier, its] of updates.slice(0, update).entries()) {
      reset(stored, whole);
      stored.update(its, { run: 4322 + earlier });
      expect([earlier, shapeOf(stored)]).toEqual([earlier, (reset(stored, whole), shapeOf(stored))]);
    }
    reset(stored, whole);
  }
});

const rowsOf = (lines: readonly string[]) => lines.map((text, at) => ({ line: at + 2, text }));

function reset(stored: StoredAppointments, all: ReadonlyMap<string, RecordOrTombstone>): void {
  stored.all.clear();
  for (const [id, record] of all) stored.all.set(id, record);
}

/** The writes of a batch in their order: records before tombstones, stored ones before new ones. */
function inOrder({ rewritten }: ChangesPlan): ChangesPlan["rewritten"] {
  const rank = ({ asRead, now }: ChangesPlan["rewritten"][number]) =>
    Number(isTombstone(now)) * 2 + Number(asRead === undefined);
  return rewritten.toSorted((a, b) => rank(a) - rank(b));
}

function contentOf({ all }: StoredAppointments) {
  return Object.fromEntries([...all].map(([id, one]) => [id, isTombstone(one) ? "gone" : one.data]));
}

/** Which appointments exist, of whom, and until when. */
function shapeOf({ records }: StoredAppointments) {
  return Object.fromEntries(
    [...records].map(([id, { data }]) => [id, [data.person_number, data.officer_role, data.resigned_on]]),
  );
}
