/** The `verify` command: compares Elasticsearch with MongoDB. */
import { formatCount } from "../../api/shared/runtime/format.ts";
import { defineCommand, parseWholeNumber } from "./define-command.ts";
import { CommandError, UnreadableRecordError } from "../../api/shared/runtime/errors.ts";
import type { IndexDefinition, NeededIndex } from "../../api/shared/definitions/define-index.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { indices } from "../../index-mappings/index.ts";
import { fetchRuleMismatch } from "../../index-mappings/name-rules.ts";
import { raisePositions } from "../log/changes.ts";
import { patientStores } from "../patient-stores.ts";
import { recountInactive } from "../persons/inactive.ts";
import { retryRefused } from "../projection/project.ts";
import { areRecordsCorrect, formatRecords, RecordCheck } from "../verify/check-records.ts";
import { compareIndex, countDifferences, describeDifferences } from "../verify/compare-index.ts";
import { compareLinks, type LinkComparison } from "../verify/compare-links.ts";
import { waitForWorkers, type Observer } from "../verify/observer.ts";
import { isMissingWords } from "../verify/words.ts";
import { observe, patienceOf } from "./long-work.ts";

const EXIT_EQUAL = 0;
const EXIT_DIFFERENT = 2;
const DEFAULT_SHOW = "20";

export const verifyCommand = defineCommand({
  name: "verify",
  summary: "Compare the search indices with MongoDB, the source of truth, and list the differences.",
  effect: "writes",
  details:
    "Makes the document of every record (of officers: of all appointments of one person) and compares it with the\n" +
    "indexed one, by content hash and version. Loads may run meanwhile: differences are checked again.\n" +
    "If MongoDB is unavailable for a while, the comparison continues when it is available again.\n" +
    "  missing     not in the index\n" +
    "  extra       in the index, but not in MongoDB\n" +
    "  different   in the index with other content, or under a version that stops later writes\n" +
    "Of the records that it reads it also lists the faulty ones: those that cannot be read (unreadable), those whose\n" +
    "content does not match their etag (content), and those whose key members do not match their content (members;\n" +
    "--repair corrects these).\n" +
    "It also checks a sample of the words index, from which searches correct spelling.\n" +
    "Without --index it also compares what is stored beside the records: links of company profiles, and counts of officers\n" +
    "with very many appointments.\n" +
    "Exit code: 0 equal, 2 something differs, 1 the comparison failed.",
  options: [
    { flags: "--repair", description: "write what differs again from MongoDB, and check it again" },
    { flags: "--dry-run", description: "list what --repair would write, and write nothing" },
    { flags: "--index <name>", description: "only this index", choices: indices.map(({ name }) => name) },
    {
      flags: "--show <count>",
      description: "list at most this many ids for each kind of difference",
      default: DEFAULT_SHOW,
    },
  ],
  example: "verify --repair",
  run: async (context, _args, options) => {
    const show = parseWholeNumber("--show", options.show ?? DEFAULT_SHOW, 0);
    const asked = indices.filter(({ name }) => options.index === undefined || name === options.index);
    const stores = context.openStores();
    for (const store of [stores.mongo, stores.elasticsearch, stores.redis]) await store.ping();
    const names = asked.map(({ name }) => name);
    // With other name rules every document differs, and none may be written.
    const fault = await fetchRuleMismatch(stores.elasticsearch, names);
    if (fault) throw new CommandError(fault);
    await requireThere(stores, [...names, "words"]);
    const isRepair = options.repair !== undefined && options.dryRun === undefined;
    const patient = patientStores(stores, patienceOf(context, "comparison"));
    if (isRepair) await raisePositions(patient);
    const how = { observer: observe(context), show, isRepair };
    const isAll = options.index === undefined;
    const { reports, records, links, counts } = await compareStores(patient, asked, { ...how, isAll });
    const areEqual = reports.every(isRight) && areRecordsCorrect(records);
    const isEqual = areEqual && (!links || areRight(links)) && !counts?.different;
    return {
      exitCode: isEqual ? EXIT_EQUAL : EXIT_DIFFERENT,
      data: {
        equal: isEqual,
        indices: reports.map(toData),
        records,
        links,
        counts,
      },
      lines: [
        ...reports.flatMap(formatReport),
        ...formatRecords(records),
        ...(links ? formatLinks(links) : []),
        ...(counts ? [formatCounts(counts)] : []),
      ],
    };
  },
});

/** Throws CommandError if one of these indices is missing, since waiting would not bring it back. */
async function requireThere({ elasticsearch }: Stores, names: readonly NeededIndex[]): Promise<void> {
  const reached = await elasticsearch.fetchAliasedIndices(names);
  const missing = names.filter((name) => reached.every(({ alias }) => alias !== name));
  if (missing.length === 0) return;
  const repair = "run `npm run cli -- prepare`, then `npm run cli -- verify --repair`";
  throw new CommandError(`missing: ${missing.join(", ")}; ${repair}`);
}

/** Compares the stores. If it ends early, it reports what it has found by then. */
async function compareStores(
  stores: Stores,
  asked: readonly IndexDefinition[],
  { isAll, ...how }: { isAll: boolean; observer: Observer; show: number; isRepair: boolean },
) {
  const reports: IndexReport[] = [];
  const records = new RecordCheck(how.show);
  // Notes an unreadable record that ends a comparison, and continues with the next comparison.
  const unlessUnreadable = <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (!(error instanceof UnreadableRecordError)) throw error;
      records.noteUnreadable(error);
      return undefined;
    });
  try {
    for (const index of asked) {
      const comparing = compareIndex(stores, index, { ...how, what: index.name, records });
      const outcome = await unlessUnreadable(comparing);
      if (!outcome) continue;
      const lacks_words = await isMissingWords(stores, index, how.observer);
      reports.push({ index: index.name, lacks_words, ...outcome });
    }
    // The indices now have the documents that they once rejected.
    if (how.isRepair) await retryRefused(stores);
    if (!isAll) return { reports, records: records.report() };
    const links = await unlessUnreadable(compareLinks(stores, how));
    const settle = () => waitForWorkers(stores, how.observer);
    const counts = await unlessUnreadable(recountInactive(stores, { isRepair: how.isRepair, settle }));
    return { reports, records: records.report(), links, counts };
  } catch (error) {
    for (const line of reports.flatMap(formatReport)) how.observer.onNote(line);
    throw error;
  }
}

function toData({ index, compared, lacks_words, named, repaired: all }: IndexReport) {
  const repaired = countDifferences(all) > 0 ? all : undefined;
  return { index, ...compared, lacks_words, repaired, named };
}

type IndexReport = Awaited<ReturnType<typeof compareIndex>> & { index: string; lacks_words: boolean };

function isRight({ compared, lacks_words }: IndexReport): boolean {
  return countDifferences(compared) === 0 && !lacks_words;
}

function formatReport(report: IndexReport): string[] {
  const { index, compared, lacks_words, named, repaired } = report;
  const verdict = isRight(report) ? "equal" : "DIFFERS";
  return [
    `${index}: ${verdict}: ${describeCounts(compared)}; ${describeDifferences(compared)}`,
    ...(lacks_words
      ? ["  words of its names are missing: misspelt names are not found until --repair adds them"]
      : []),
    ...(countDifferences(repaired) > 0 ? [`  repaired: ${describeDifferences(repaired)}`] : []),
    ...named.map(
      ({ id, kind, what }) => `  ${kind.padEnd(10)} ${id}${what === "version" ? " (version)" : ""}`,
    ),
  ];
}

const UNLIKE = " (some changed meanwhile, or cannot be read)";

/** Says how many documents were expected and found, and why these differ by more than missing and extra ones. Pure. */
export function describeCounts({ expected, found, missing, extra }: IndexReport["compared"]): string {
  const isExplained = found === expected - missing + extra;
  return `${formatCount(expected)} documents expected, ${formatCount(found)} found${isExplained ? "" : UNLIKE}`;
}

function areRight({ missing, extra }: LinkComparison): boolean {
  return missing + extra === 0;
}

function formatLinks(links: LinkComparison): string[] {
  const { missing, extra, repaired, named } = links;
  const verdict = areRight(links) ? "equal" : "DIFFER";
  const mended = repaired > 0 ? `; repaired: ${formatCount(repaired)}` : "";
  return [
    `links of profiles: ${verdict}: ${formatCount(missing)} missing, ${formatCount(extra)} extra${mended}`,
    ...named.map(({ kind, company_number, link }) => `  ${kind.padEnd(10)} ${company_number} ${link}`),
  ];
}

function formatCounts({ different, repaired }: { different: number; repaired: number }): string {
  const verdict = different === 0 ? "equal" : `DIFFER: ${formatCount(different)}`;
  const mended = repaired > 0 ? `; repaired: ${formatCount(repaired)}` : "";
  return `counts of officers with very many appointments: ${verdict}${mended}`;
}
