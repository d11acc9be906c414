/**
 * Entry of the measured comparison of ids, as `load --complete` does it: so many ids are named and as many stored, of which
 * one in a thousand is not named.
 */
import { deriveId } from "../../../api/shared/values/identifiers.ts";
import { appointmentRecord } from "../../../api/resources/officer-appointment/record.ts";
// The command's code takes its memory in the command, too.
import "../../../ingest/commands/load.ts";
import { IdSet } from "../../../ingest/load/id-set.ts";

// One in each so many is left out.
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
