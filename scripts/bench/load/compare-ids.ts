/**
 * Entry of a process that compares ids as `load --complete` does, so that its memory can be measured. Its argument is
 * the number of stored ids; the files name all of them but one in a thousand.
 */
import { deriveId } from "../../../api/shared/values/identifiers.ts";
import { appointmentRecord } from "../../../api/resources/officer-appointment/record.ts";
// Only for its memory: in the command, the code of the command takes memory, too.
import "../../../ingest/commands/load.ts";
import { IdSet } from "../../../ingest/load/id-set.ts";

// One id in this many is not named.
const NAMED = 1_000;

const count = Number(process.argv[2]);
const { collection } = appointmentRecord;
const idAt = (position: number) => deriveId("appointment", String(position));
const ids = new IdSet(count);
for (let position = 0; position < count; position += 1)
  if (position % NAMED > 0) ids.add(collection, idAt(position));
let lacking = 0;
for (let position = 0; position < count; position += 1)
  if (!ids.has(collection, idAt(position))) lacking += 1;
if (lacking !== Math.ceil(count / NAMED)) throw new Error(`${lacking} of ${count} ids are lacking`);
