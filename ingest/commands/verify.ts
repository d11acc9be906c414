/** Owns the `verify` command: does Elasticsearch hold what MongoDB says, and nothing else? */
import { defineCommand, type CommandContext } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { parseWholeNumber } from "../../api/core/whole-number.ts";
import type { IndexDefinition } from "../../index-mappings/define-index.ts";
import { indices } from "../../index-mappings/index.ts";
import { fetchRulesFault } from "../../index-mappings/name-rules.ts";
import { patientStores } from "../patient-stores.ts";
import { formatCount } from "../progress.ts";
import { compareIndex, countDifferences, type Comparison, type Named } from "../verify/compare-index.ts";
import { patienceOf, showDocuments } from "./long-work.ts";

const EXIT_EQUAL = 0;
const EXIT_DIFFERENT = 2;
const DEFAULT_SHOW = "20";

export const verifyCommand = defineCommand({
  name: "verify",
  summary: "Compare the search indices with MongoDB, which is the truth, and name what differs.",
  effect: "writes",
  details:
    "Makes the document of every record (of officers: of all appointments of one person) and compares it with the\n" +
    "one that is held, by content hash and version. Loads may run meanwhile: what differs is looked at again.\n" +
    "MongoDB may go away for a while, too: the comparison goes on when it is back.\n" +
    "  missing     not in the index\n" +
    "  extra       in the index, though MongoDB has nothing of it\n" +
    "  different   in the index with other content, or under a version that stops later writes\n" +
    "Exit code: 0 equal, 2 something differs, 1 the comparison failed.",
  options: [
    { flags: "--repair", description: "write what differs anew from MongoDB, then compare again" },
    { flags: "--dry-run", description: "name what --repair would mend, and write nothing" },
    {
      flags: "--index <name>",
      description: "only this index",
      choices: indices.map(({ name }) => name),
    },
    { flags: "--show <count>", description: "ids named of each sort of difference", default: DEFAULT_SHOW },
    { flags: "--json", description: "print one JSON object" },
  ],
  example: "verify --repair",
  run: async (context, _args, options) => {
    const show = parseWholeNumber("--show", options.show ?? DEFAULT_SHOW, 0);
    const asked = indices.filter(({ name }) => options.index === undefined || name === options.index);
    const stores = context.openStores();
    for (const store of [stores.mongo, stores.elasticsearch, stores.redis]) await store.ping();
    // Under other rules every document differs, and none may be written.
    const fault = await fetchRulesFault(
      stores.elasticsearch,
      asked.map(({ name }) => name),
    );
    if (fault) throw new CommandError(fault);
    const isRepair = options.repair !== undefined && options.dryRun === undefined;
    const patient = patientStores(stores, patienceOf(context, "comparison"));
    const run: Run = { context, stores: patient, show };
    const reports: IndexReport[] = [];
    for (const index of asked) reports.push(await verifyIndex(run, index, isRepair));
    const isEqual = reports.every(({ compared }) => countDifferences(compared) === 0);
    return {
      exitCode: isEqual ? EXIT_EQUAL : EXIT_DIFFERENT,
      data: { equal: isEqual, indices: reports.map(toJson) },
      lines: reports.flatMap(formatReport),
    };
  },
});

interface Run {
  context: CommandContext;
  stores: Stores;
  show: number;
}

/** What is to be told of one index. */
interface IndexReport {
  name: string;
  /** As it is now. */
  compared: Comparison;
  /** The first differences of each kind, of those that are there now or have been repaired. */
  named: Named[];
  /** As it was before the repair, where there was something to repair. */
  repaired?: Comparison;
}

async function verifyIndex(run: Run, index: IndexDefinition, isRepair: boolean): Promise<IndexReport> {
  const report = await compare(run, index, isRepair);
  if (!isRepair || countDifferences(report.compared) === 0) return report;
  run.context.tell(
    `${index.name}: ${formatCount(countDifferences(report.compared))} repaired; comparing again`,
  );
  const after = await compare(run, index, false);
  return { ...after, named: [...report.named, ...after.named], repaired: report.compared };
}

async function compare(run: Run, index: IndexDefinition, isRepair: boolean): Promise<IndexReport> {
  const { context, stores, show } = run;
  const { isStopping } = context;
  const progress = showDocuments(context, index.name);
  return {
    name: index.name,
    ...(await compareIndex(stores, index, { ...progress, show, isRepair, isStopping })),
  };
}

function formatReport({ name, compared, named, repaired }: IndexReport): string[] {
  const verdict = countDifferences(compared) === 0 ? "equal" : "DIFFERS";
  const lines = [`${name}: ${verdict}: ${formatComparison(compared)}`];
  if (repaired) lines.push(`  repaired: ${formatDifferences(repaired)}`);
  for (const { id, kind, what } of named) {
    lines.push(`  ${kind.padEnd(10)} ${id}${what === "version" ? " (version)" : ""}`);
  }
  return lines;
}

function formatComparison(compared: Comparison): string {
  const { expected, found } = compared;
  return `${formatCount(expected)} documents expected, ${formatCount(found)} found; ${formatDifferences(compared)}`;
}

function formatDifferences({ missing, extra, different }: Comparison): string {
  return `${formatCount(missing)} missing, ${formatCount(extra)} extra, ${formatCount(different)} different`;
}

function toJson({ name, compared, named, repaired }: IndexReport) {
  return { index: name, ...compared, ...(repaired && { repaired }), named };
}
