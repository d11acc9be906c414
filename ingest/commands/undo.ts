/** The `loads undo` command: takes back what a bad edition stated. */
import { confirm } from "../../api/core/confirm.ts";
import { defineCommand } from "../../api/core/define-command.ts";
import { formatCount } from "../../api/core/format.ts";
import { EXAMPLE_LOAD, loadLock, requireLoad, type LoadedFile } from "../history/loads.ts";
import { countTaken, planUndo, runUndo, type UndoCounts } from "../load/undo.ts";
import { patientStores } from "../patient-stores.ts";
import { prepareStores } from "../prepare.ts";
import { heldElsewhere, patienceOf } from "./long-work.ts";

// Limit: files to load again that are named; --json has all.
const NAMED_FILES = 10;

export const loadsUndoCommand = defineCommand({
  name: "loads undo",
  summary: "Take back what a load stated, so that the former edition counts once it is loaded again.",
  effect: "deletes",
  details:
    "Every record loses what the load stated of it, removals by --complete included, and keeps what other loads stated.\n" +
    "A record keeps no statement that a later edition has replaced: it misses that content, or is missing as a whole,\n" +
    "until the files that are named at the end are loaded again, in their order, without --complete. Then the records\n" +
    "are as they were before the load. After a crash or Ctrl-C, run it again.\n" +
    "Daily updates, snapshots with daily updates since the former one, and streaming events cannot be undone.",
  arguments: [{ name: "<load>", description: "id of the load" }],
  options: [{ flags: "--yes", description: "undo it without asking" }],
  example: `loads undo ${EXAMPLE_LOAD}`,
  run: async (context, [id = ""], { yes, dryRun }) => {
    const stores = patientStores(context.openStores(), patienceOf(context, "undo"));
    const run = { context, stores };
    for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
    await requireLoad(stores.mongo.documents, id);
    const lock = await stores.redis.locks.acquire(loadLock(id));
    if (!lock) throw heldElsewhere(context.config, `the load ${id}`);
    try {
      const plan = await planUndo(run, id);
      const { former, ...counts } = await countTaken(run, plan);
      const told = describe(counts, former);
      const load_again = former.map(({ file, of }) => ({ file, load: of._id }));
      const data = { load: id, undone: false, ...counts, load_again };
      if (dryRun !== undefined) return { exitCode: 0, data, lines: [`would undo load ${id}: ${told}`] };
      const question = `Load ${id} of ${plan.loads[0].files.join(", ")} will be undone: ${told}`;
      if (!(await confirm(context, question, yes !== undefined))) return 1;
      await prepareStores(stores, new Date());
      const done = await runUndo(run, id);
      const line = `undid load ${id}: ${describe(done, former)}`;
      return { exitCode: 0, data: { ...data, undone: true, ...done }, lines: [line] };
    } finally {
      await lock.release().catch(() => undefined);
    }
  },
});

function describe({ records, missing }: UndoCounts, former: readonly LoadedFile[]): string {
  const changed = `${formatCount(records)} records change, ${formatCount(missing)} of them are missing then`;
  const files = former.slice(-NAMED_FILES).map(({ file, of }) => `${file} (${of._id})`);
  if (files.length === 0) return `${changed}. No other load has records of these kinds.`;
  const more = former.length > files.length ? `${former.length - files.length} earlier files, ` : "";
  return `${changed}. To have them as they were, load again, in this order: ${more}${files.join(", ")}.`;
}
