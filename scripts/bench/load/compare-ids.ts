/**
 * Entry of the measured comparison of ids, as `load --complete` does it: so many ids are named and as many stored, of which
 * one in a thousand is not named. Prints what the temporary files took, as JSON.
 */
import { readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deriveId } from "../../../api/shared/values/identifiers.ts";
import { appointmentRecord } from "../../../api/resources/officer-appointment/record.ts";
// The command's code takes its memory in the command, too.
import "../../../ingest/commands/load.ts";
import { IdDifference } from "../../../ingest/load/id-difference.ts";

// As many as a batch names; one in each is left out.
const BATCH = 1_000;

const count = Number(process.argv[2]);
const { collection } = appointmentRecord;
const idAt = (position: number) => deriveId("appointment", String(position));
const ids = new IdDifference();
try {
  for (let start = 0; start < count; start += BATCH) {
    const named = Array.from({ length: Math.min(BATCH, count - start) - 1 }, (_none, step) =>
      idAt(start + step),
    );
    ids.name({ [collection]: named });
  }
  for (let position = 0; position < count; position += 1) ids.hold({ collection, id: idAt(position) });
  // Counted for the guard, then read again to be removed.
  const lacking = await ids.countLacking();
  let read = 0;
  for await (const records of ids.lacking()) read += records.length;
  if (lacking !== Math.ceil(count / BATCH) || read !== lacking)
    throw new Error(`${lacking} of ${count} ids are lacking, then ${read}`);
  process.stdout.write(`${JSON.stringify({ diskBytes: sizeOf(tmpdir()) })}\n`);
} finally {
  await ids.remove();
}

/** Of all files in a folder. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    statSync(join(folder, name)),
  );
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
}
