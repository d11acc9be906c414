/** Owns `load --dry-run`: files are surveyed, mapped, checked and compared, and nothing is written anywhere. */
import type { CommandContext } from "../../api/core/define-command.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { StatusLine } from "../commands/status-line.ts";
import type { DeadLetter } from "../dead-letters.ts";
import { addWarnings } from "../loads.ts";
import { formatCount, formatRefused, formatWarnings } from "../progress.ts";
import type { Encoding } from "../readers/read-rows.ts";
import { checkEdition } from "./check-edition.ts";
import { checkSeries } from "./check-series.ts";
import { requireWholeEdition, type WholeEdition } from "./completeness.ts";
import { cutSurveyed } from "./cut-file.ts";
import { addNamed, type IdSet } from "./id-set.ts";
import { previewBatch, type Preview } from "./preview-batch.ts";
import { guardRefused, planRetirement } from "./retire.ts";
import type { FileOpener } from "./spool.ts";
import { readOnce, surveyFiles, type Follow } from "./survey-files.ts";
import type { FileSurvey, SurveyObserver } from "./survey.ts";
import { ToldBefore } from "./told-before.ts";

const EXIT_OK = 0;
const EXIT_REFUSED = 2;
// Refused rows that are shown; a dry run keeps none.
const SHOWN_LETTERS = 50;
// No record is held under a higher revision than what this load would write.
const LATEST = Number.MAX_SAFE_INTEGER;

/** What was asked for. */
export interface DryRun {
  files: string[];
  as: string | undefined;
  encoding: Encoding;
  isComplete: boolean;
  isForced: boolean;
  isUnchecked: boolean;
  isJson: boolean;
}

type Totals = Omit<Preview, "letters" | "named"> & { retired?: number };

/** Says what a load would do; the exit code is the one that it would have. Throws what it would throw. */
export async function surveyAndPreview(
  context: CommandContext,
  stores: Stores,
  request: DryRun,
  open: FileOpener,
): Promise<number> {
  let status = "";
  const line = new StatusLine(context, () => status);
  const watch = (file: string, doing: string) => ({
    onProgress: (rows: number) => (status = `${doing} ${file}: ${formatCount(rows)} rows`),
    isStopping: context.isStopping,
  });
  try {
    const surveys = await surveyFiles(request, open, (input) => watch(input.label, "checking"));
    const edition = request.isComplete ? requireWholeEdition(surveys) : null;
    for (const note of await checkSeries(stores.mongo.documents, surveys, request.isForced))
      context.tell(note);
    for (const note of await checkEdition(stores.mongo.documents, surveys, request)) context.tell(note);
    const seen = new Seen();
    for (const survey of surveys) await previewFile(context, stores, { request, open, survey, seen, watch });
    const { config } = context;
    // What guards whole editions is told after what the rows would do.
    const fault = edition
      ? await addRetired(stores, { seen, edition, request, config }).catch(toError)
      : null;
    line.clear();
    tell(context, seen, request.isJson);
    if (fault) throw fault;
    return seen.totals.refused > 0 ? EXIT_REFUSED : EXIT_OK;
  } finally {
    line.clear();
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

interface PlannedEdition {
  seen: Seen;
  edition: WholeEdition;
  request: DryRun;
  config: CommandContext["config"];
}

async function addRetired(stores: Stores, { seen, edition, request, config }: PlannedEdition): Promise<null> {
  if (!request.isForced) guardRefused(seen.totals.refused, null);
  const minimumPercent = request.isForced ? 0 : config.COMPLETE_MIN_PERCENT;
  const plan = { revision: LATEST, ...edition, minimumPercent, isDryRun: true };
  seen.totals.retired = (await planRetirement(stores, seen.named, plan)).count;
  return null;
}

/** What has been previewed so far. */
class Seen {
  readonly named = new Map<string, IdSet>();
  readonly letters: DeadLetter[] = [];
  readonly before = new ToldBefore();
  totals: Totals = {
    ...{ read: 0, created: 0, changed: 0, unchanged: 0, removed: 0, refused: 0, skipped: 0 },
    warnings: {},
  };

  add({ letters, named, warnings, ...counts }: Preview): void {
    for (const [name, count] of Object.entries(counts)) this.totals[name as keyof typeof counts] += count;
    this.totals.warnings = addWarnings(this.totals.warnings, warnings);
    this.letters.push(...letters.slice(0, SHOWN_LETTERS - this.letters.length));
    addNamed(this.named, named);
  }
}

interface PreviewedFile {
  request: DryRun;
  open: FileOpener;
  survey: FileSurvey;
  seen: Seen;
  watch: (file: string, doing: string) => SurveyObserver;
}

async function previewFile(
  { config }: CommandContext,
  stores: Stores,
  { request, open, survey, seen, watch }: PreviewedFile,
): Promise<void> {
  const job = { load: "dry-run", revision: LATEST };
  const follow: Follow = (input) => watch(input.label, "comparing");
  await readOnce(open, survey.path, follow, (input, observer) =>
    cutSurveyed(input, survey, {
      ...observer,
      as: request.as,
      encoding: request.encoding,
      limits: { rows: config.BATCH_ROWS, bytes: config.BATCH_BYTES },
      take: async (batch) => seen.add(await previewBatch(stores, { ...job, ...batch }, seen.before)),
    }),
  );
}

function tell(context: CommandContext, { totals, letters }: Seen, isJson: boolean): void {
  if (isJson) return context.print(JSON.stringify({ ...totals, refused_rows: letters }));
  const { warnings, retired, ...counts } = totals;
  context.print("nothing was written; a load would have:");
  for (const [name, count] of Object.entries(counts))
    context.print(`${name.padEnd(10)}${formatCount(count)}`);
  if (retired !== undefined)
    context.print(`retired   ${formatCount(retired)} (held, but not in the edition)`);
  for (const line of formatWarnings(warnings)) context.print(line);
  for (const letter of letters) context.tell(formatRefused(letter));
  const more = totals.refused - letters.length;
  if (more > 0) context.tell(`and ${formatCount(more)} more`);
}
