/** The `loads undo` command: takes back what a bad edition stated. */
import { confirm } from "./confirm.ts";
import { defineCommand } from "./define-command.ts";
import { formatCount, formatNumber } from "../../api/shared/runtime/format.ts";
import { EXAMPLE_LOAD, loadLock } from "../history/loads.ts";
import { commandsFor, planUndo, runUndo, takeBack } from "../load/undo.ts";
import { patientStores } from "../patient-stores.ts";
import { prepareStores } from "../prepare.ts";
import { lockedElsewhere, patienceOf } from "./long-work.ts";

export const loadsUndoCommand = defineCommand({
  name: "loads undo",
  summary: "Take back what a load stated, so that the former edition counts once it is loaded again.",
  effect: "deletes",
  details:
    "Every record loses what the load stated of it, removals by --complete included, and keeps what other loads state.\n" +
    "What the load replaced is no longer stored: records lack values, or are missing, until you run the commands that\n" +
    "are printed at the end, in their order. Then the records are as they were before the load.\n" +
    "After Ctrl-C or a crash, run this again. Events of streams, daily updates, and snapshots with daily updates since the\n" +
    "former snapshot cannot be undone.",
  arguments: [{ name: "<load>", description: "id of the load" }],
  options: [{ flags: "--yes", description: "undo it without asking" }],
  example: `loads undo ${EXAMPLE_LOAD}`,
  run: async (context, [id = ""], { yes, dryRun }) => {
    const stores = patientStores(context.openStores(), patienceOf(context, "undo"));
    const run = { context, stores };
    for (const store of [stores.redis, stores.mongo, stores.elasticsearch]) await store.ping();
    const lock = await stores.redis.locks.acquire(loadLock(id));
    if (!lock) throw lockedElsewhere(context.config, `the load ${id}`);
    try {
      if (dryRun || !yes) {
        const plan = await planUndo(stores, id);
        const { former, isMended } = plan;
        const outcome = { ...(await takeBack(run, plan, true)), former, isMended };
        if (dryRun) return report(`would undo load ${id}`, outcome, { load: id, undone: false });
        const question = `Load ${id} of ${plan.load.files.join(", ")} will be undone: ${describe(outcome)}.`;
        if (!(await confirm(context, question, false))) return 1;
      }
      await prepareStores(stores, new Date());
      return report(`undid load ${id}`, await runUndo(run, id), { load: id, undone: true });
    } finally {
      await lock.release().catch(() => undefined);
    }
  },
});

function report(
  done: string,
  { former, isMended, ...counts }: Awaited<ReturnType<typeof runUndo>>,
  members: object,
) {
  const load_again = commandsFor(former);
  const next =
    load_again.length > 0 ? ["to restore the records, run these commands in this order:", ...load_again] : [];
  if (isMended) next.push("rows that were mended before are refused again: mend them again");
  const data = { ...members, ...counts, load_again };
  return { exitCode: 0, data, lines: [`${done}: ${describe(counts)}`, ...next] };
}

function describe({ records, missing }: { records: number; missing: number }): string {
  const changed = `${formatNumber(records, "record")} changed`;
  return missing > 0
    ? `${changed}, ${formatCount(missing)} of them missing until they are restored`
    : changed;
}
