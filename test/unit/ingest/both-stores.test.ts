/** A correction of a person of very many appointments: what the note of the write keeps of them, and that it is kept at all. */
import { describe, expect, it } from "@jest/globals";
import type { DocumentStore } from "../../../api/core/stores/mongo.ts";
import type { Stores } from "../../../api/core/stores/index.ts";
import type { StoredRecord } from "../../../api/resources/define-record.ts";
import { appointmentRecord } from "../../../api/resources/officer-appointment/record.ts";
import { writeBoth } from "../../../ingest/both-stores.ts";
import { anAppointment } from "../../support/search-records.ts";

const COUNT = 200_000;
const ENOUGH = new Error("the truth is written no further");

/** Stores that know of no document and take every one; of the notes the former groups are kept. */
function fakeStores(): { stores: Stores; noted: unknown[] } {
  const noted: unknown[] = [];
  const documents: Partial<DocumentStore> = {
    putMissing: () => Promise.resolve(new Set()),
    fetch: () => Promise.resolve(null),
    raise: () => Promise.resolve(),
    amend: () => Promise.resolve(),
    put: (collection, { formerGroups }) => {
      if (collection === "unindexed") noted.push(structuredClone(formerGroups));
      return Promise.resolve();
    },
  };
  return { stores: { mongo: { documents } } as unknown as Stores, noted };
}

describe("a write that replaces very many records", () => {
  it("notes each group that they are in once", async () => {
    const { stores, noted } = fakeStores();
    const first: StoredRecord = anAppointment({ officer_id: "nominee" }, 1);
    const other: StoredRecord = anAppointment({ officer_id: "other" }, 2);
    const held = Array.from({ length: COUNT }, () => first);
    const run = writeBoth(stores, appointmentRecord, { jobId: "job", ids: [] }, async (leaving) => {
      await leaving.onLeave(held);
      await leaving.onLeave([first, other]);
      await leaving.onLeave(held);
      throw ENOUGH;
    });
    await expect(run).rejects.toBe(ENOUGH);
    const [one, two] = [{ officer_id: "nominee" }, { officer_id: "other" }];
    expect(noted).toEqual([[one], [one, two]]);
  });
});
