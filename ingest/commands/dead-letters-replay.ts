/** Owns the command that runs refused rows through the present code again. */
import { defineCommand, type CommandContext } from "../../api/core/define-command.ts";
import { addCounts, EXAMPLE_LOAD, noCounts } from "../loads.ts";
import { prepareStores } from "../prepare.ts";
import { formatCount, formatRefused } from "../progress.ts";
import { ENCODINGS, type Encoding } from "../readers/read-rows.ts";
import { replayLoad, type Replayed } from "../replay.ts";
import { requireCurrent, requireEnded, requireLoad } from "./dead-letter-arguments.ts";

const EXIT_OK = 0;
const EXIT_REFUSED = 2;
// Rows named for people; --json names all.
const SHOWN_ROWS = 10;

export const deadLettersReplayCommand = defineCommand({
  name: "dead-letters replay",
  summary: "Run the refused rows of a load again, after a fix or an upgrade.",
  effect: "writes",
  details:
    "Rows that are accepted now are written as their batch would have written them, and are refused rows no more;\n" +
    "what has been written since by later rows or loads stays. The others stay, with their new reason.\n" +
    "When a later whole edition of their format was loaded with --complete the rows are out of date, and none is run.\n" +
    "A --complete load that they kept from removing what it lacks goes on with load --resume when none is left.\n" +
    "May be run again at any time. Exit code: 0 none is left, 2 some are still refused.",
  arguments: [{ name: "<load>", description: "id of the load" }],
  options: [
    { flags: "--dry-run", description: "say what would become of each row, and write nothing" },
    {
      flags: "--encoding <encoding>",
      description: "encoding of the rows that could not be read",
      choices: ENCODINGS,
    },
    {
      flags: "--force",
      description:
        "although the load has not ended: it was killed, and will not be resumed; or although a later whole edition was " +
        "loaded: rows without a day bring back what that has removed",
    },
    { flags: "--json", description: "print one JSON line a row" },
  ],
  example: `dead-letters replay ${EXAMPLE_LOAD} --dry-run`,
  run: async (context, [load = ""], options) => {
    const stores = context.openStores();
    await requireLoad(stores.mongo.documents, load);
    // The revisions behind a running load's batches are still to be used by others of it.
    await requireEnded(stores.mongo.documents, load, options.force !== undefined);
    await requireCurrent(stores.mongo.documents, load, options.force !== undefined);
    const isDryRun = options.dryRun !== undefined;
    if (!isDryRun) await prepareStores(stores, new Date());
    const report = new Report(context, options.json !== undefined);
    const replay = {
      isDryRun,
      encoding: options.encoding as Encoding | undefined,
      isStopping: context.isStopping,
    };
    for await (const { replayed, counts } of replayLoad(stores, load, replay)) report.add(replayed, counts);
    if (!isDryRun) await stores.elasticsearch.refresh();
    report.finish(isDryRun);
    return report.isClean ? EXIT_OK : EXIT_REFUSED;
  },
});

class Report {
  private readonly outcomes = { accepted: 0, refused: 0, left: 0 };
  private counts = noCounts();
  private told = 0;

  constructor(
    private readonly context: CommandContext,
    private readonly isJson: boolean,
  ) {}

  get isClean(): boolean {
    return this.outcomes.refused + this.outcomes.left === 0;
  }

  add(replayed: Replayed[], counts: ReturnType<typeof noCounts> | null): void {
    if (counts) this.counts = addCounts(this.counts, counts);
    for (const item of replayed) {
      this.outcomes[item.outcome] += 1;
      this.tell(item);
    }
  }

  finish(isDryRun: boolean): void {
    if (this.isJson) return;
    const { accepted, refused, left } = this.outcomes;
    const { print } = this.context;
    const verb = isDryRun ? "would be accepted" : "accepted";
    print(`${verb.padEnd(10)} ${formatCount(accepted)}`);
    if (!isDryRun) print(`written    ${formatCount(this.counts.written + this.counts.removed)}`);
    print(`refused    ${formatCount(refused)}`);
    if (left > 0) print(`left       ${formatCount(left)} (cannot be run again)`);
  }

  private tell({ letter: { file, line, source }, outcome, reason, field }: Replayed): void {
    const { print, tell } = this.context;
    if (this.isJson) return print(JSON.stringify({ file, line, source, outcome, reason, field }));
    if (outcome === "accepted" || (this.told += 1) > SHOWN_ROWS) return;
    tell(formatRefused({ file, line, reason: reason ?? "", ...(field && { field }) }, outcome));
  }
}
