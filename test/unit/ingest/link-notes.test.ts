/** What a batch notes of the links of profiles, over all its writes. */
import { expect, it } from "@jest/globals";
import { chargeRecord } from "../../../api/resources/charge/record.ts";
import type { RecordDefinition, StoredRecord } from "../../../api/shared/definitions/define-record.ts";
import { LinkNotes } from "../../../ingest/links/note.ts";

// The casts: notes read no other member, and use only what all kinds of records have in common.
const record = chargeRecord as unknown as RecordDefinition;
const chargesOf = (...numbers: string[]) =>
  numbers.map((company_number) => ({ company_number, data: {} }) as unknown as StoredRecord);

it("a batch notes the links of all its writes, and as left only those that it has not made again", () => {
  const notes = new LinkNotes();
  notes.noteLeft(record, chargesOf("00000001", "00000002"));
  notes.noteLeft(record, chargesOf("00000003"));
  notes.noteMade(record, chargesOf("00000004"));
  notes.noteMade(record, chargesOf("00000001", "00000005"));
  expect(notes.list()).toEqual({
    made: { charges: ["00000004", "00000001", "00000005"] },
    left: { charges: ["00000002", "00000003"] },
  });
});
