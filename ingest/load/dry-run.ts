/**
 * Owns a dry run of a load: its files are read, mapped and checked as the load does it, each batch is compared with what is
 * stored now, and nothing is written anywhere.
 *
 * Limit: what an earlier batch of the same load would make of a record is not followed. A record that rows of several batches
 * name counts by each of them as it is stored now, and a change to what an earlier batch would bring finds nothing.
 */
import { CommandError } from "../../api/core/errors.ts";
import type { Stores } from "../../api/core/stores/index.ts";
import { isGone } from "../../api/core/gone.ts";
import type { HeldRecord, RecordDefinition } from "../../api/resources/define-record.ts";
import { fetchReading } from "../statements/apply-changes.ts";
import { count as countEvents, toIncoming, type PendingEvent } from "../statements/apply-events.ts";
import type { BatchLimits } from "../queue/batches.ts";
import type { DeadLetter } from "../dead-letters/dead-letters.ts";
import { NOT_HELD, readCorrected, tellCorrections } from "../persons/corrections.ts";
import { addCounts, noCounts } from "../history/loads.ts";
import { countRead, countWarnings, sortRows } from "../pipeline.ts";
import { planChanges, type ChangeEffect, type HeldChange } from "../statements/plan-changes.ts";
import type { BatchCounts, BatchJob } from "../queue/queue.ts";
import type { Input } from "../readers/open-input.ts";
import type { Encoding } from "../readers/read-rows.ts";
import { findSource, findTable } from "../sources/index.ts";
import type { Incoming } from "../statements/absorb.ts";
import { fetchAddressed, findOutdone } from "../statements/addresses.ts";
import { planOne, type Written } from "../statements/write.ts";
import { checkFiles } from "./check-files.ts";
import { requireWholeEdition, type WholeEdition } from "./completeness.ts";
import { cutSurveyed, type FileBatch } from "./cut-file.ts";
import { guardRefusals } from "./guard-refusals.ts";
import { IdDifference } from "./id-difference.ts";
import { openMended, planMends } from "./mends.ts";
import { fetchCoverage, guardRefused, guardShare, isCovered } from "./retire.ts";
import type { FileOpener } from "./spool.ts";
import { doubtsOf, readOnce, surveyFiles } from "./survey-files.ts";
import type { FileSurvey, SurveyObserver } from "./survey.ts";

// Limit: refused rows that are returned; a dry run keeps none.
const KEPT_LETTERS = 50;
// Of every batch, and higher than that of any stored record: rows count as later than what was loaded before.
const REVISION = Number.MAX_SAFE_INTEGER;

/** What would be loaded, and how. */
export interface LoadAim {
  files: string[];
  as: string | undefined;
  encoding: Encoding;
  isComplete: boolean;
  isForced: boolean;
  isUnchecked: boolean;
  /** Id of the load of which the files hold mended rows. */
  mends?: string | undefined;
}

/** What a dry run needs beside its aim. */
export interface DryRun {
  stores: Stores;
  aim: LoadAim;
  open: FileOpener;
  limits: BatchLimits;
  /** Least share of what a whole edition covers that it must hold, in per cent. */
  completeMinPercent: number;
  /** Most refused rows of a file, in per cent. */
  refusedMaxPercent: number;
  observer: DryRunObserver;
}

/** Who waits for a dry run. */
export interface DryRunObserver {
  /** Called for each reading of a file. */
  watch: (input: Input, phase: "checking" | "comparing") => SurveyObserver;
  /** Told what a person should know of the files. */
  onNote: (note: string) => void;
}

/** What a load would do. */
export interface DryRunOutcome {
  counts: BatchCounts;
  /** Of the written records those that are not stored. */
  created: number;
  /** Of a whole edition: records that it lacks. */
  retired?: number;
  /** The first rows that it would refuse. */
  letters: DeadLetter[];
  /** What guards whole editions and would end the load after all its rows, or what would stop it before. */
  fault: Error | null;
}

/** A whole edition. */
interface Edition extends WholeEdition {
  /** With the records that its rows name. */
  ids: IdDifference;
  /** Records of it that would be created. */
  brought: number;
}

/** Looks what a load would do. Throws what it would throw before it writes. */
export async function runDry(run: DryRun): Promise<DryRunOutcome> {
  const { stores, aim, open, observer, completeMinPercent } = run;
  const { documents } = stores.mongo;
  const mendedOf = aim.mends ? await openMended(documents, await planMends(stores, aim.mends)) : undefined;
  const surveys = await surveyFiles({ ...aim, mendedOf }, open, (input) => observer.watch(input, "checking"));
  const whole = aim.isComplete ? requireWholeEdition(surveys, aim) : null;
  if (!aim.isUnchecked) for (const note of doubtsOf(surveys)) observer.onNote(note);
  const notes = aim.mends ? [] : await checkFiles(documents, surveys, { ...aim, completeMinPercent });
  for (const note of notes) observer.onNote(note);
  const edition = whole && { ...whole, ids: await IdDifference.open(), brought: 0 };
  try {
    return await compareFiles(run, surveys, edition);
  } finally {
    await edition?.ids.remove();
  }
}

async function compareFiles(
  run: DryRun,
  surveys: FileSurvey[],
  edition: Edition | null,
): Promise<DryRunOutcome> {
  const outcome: DryRunOutcome = { counts: noCounts(), created: 0, letters: [], fault: null };
  const isGuarded = !run.aim.isForced && !run.aim.mends;
  for (const survey of surveys) {
    const { read, refused } = outcome.counts;
    await compareFile(run, survey, { outcome, edition });
    const ofFile = { read: outcome.counts.read - read, refused: outcome.counts.refused - refused };
    const limit = { mostPercent: run.refusedMaxPercent, load: null };
    if (isGuarded) outcome.fault ??= await faultOf(() => guardRefusals(survey.file, ofFile, limit));
  }
  if (edition) outcome.fault ??= await faultOf(() => countRetired(run, outcome, edition));
  return outcome;
}

async function compareFile(
  { stores, aim, open, limits, observer }: DryRun,
  survey: FileSurvey,
  { outcome, edition }: { outcome: DryRunOutcome; edition: Edition | null },
): Promise<void> {
  const { as, encoding } = aim;
  const follow = (input: Input) => observer.watch(input, "comparing");
  const take = async (batch: FileBatch) => {
    const job = { load: "dry-run", revision: REVISION, ...batch, ...survey.mended?.job };
    const { counts, created, letters } = await compareBatch(stores, job, edition);
    outcome.counts = addCounts(outcome.counts, counts);
    outcome.created += created;
    outcome.letters.push(...letters.slice(0, KEPT_LETTERS - outcome.letters.length));
  };
  await readOnce(open, survey.path, follow, (input, reading) =>
    cutSurveyed(input, survey, { ...reading, as, encoding, mended: survey.mended, limits, take }),
  );
}

async function countRetired(
  { stores, aim: { isForced }, completeMinPercent }: DryRun,
  outcome: DryRunOutcome,
  edition: Edition,
): Promise<void> {
  if (!isForced) guardRefused(outcome.counts.refused, null);
  const { covered, lacking } = await fetchCoverage(stores, edition.ids, edition);
  // What the edition brings is there when a load compares.
  const share = { covered: covered + edition.brought, lacking, isDryRun: true };
  guardShare(share, isForced ? 0 : completeMinPercent);
  outcome.retired = lacking;
}

/** What would end the load; null where nothing does. */
async function faultOf(guard: () => void | Promise<void>): Promise<Error | null> {
  try {
    await guard();
    return null;
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

/** Maps and checks a batch as a worker does, and counts what it would do to what is stored now. */
async function compareBatch({ mongo }: Stores, job: BatchJob, edition: Edition | null) {
  const sorted = sortRows(findSource(job.source), job);
  const effects: Effects[] = [];
  for (const [record, rows] of sorted.records)
    effects.push(await compareRows(mongo, record, [...rows.values()], edition));
  for (const [record, events] of sorted.events)
    effects.push(await compareEvents(mongo, record, [...events.values()]));
  const { productionDate = "" } = job.context;
  for (const [record, changes] of sorted.changes) {
    const reading = await fetchReading(mongo, record, changes);
    const plan = planChanges(record, changes, reading, { revision: REVISION, productionDate, findTable });
    effects.push(countEffects(plan.effects));
    countWarnings(sorted, plan.warnings);
    for (const change of changes.filter(({ correction }) => correction)) {
      const effect = await compareCorrection(mongo, record, change, productionDate);
      effects.push(countEffects([effect ?? "known"]));
      if (effect === null) countWarnings(sorted, [NOT_HELD]);
    }
  }
  const { mapped, letters, skipped, warnings } = sorted;
  const sum = (name: keyof Effects) => effects.reduce((total, effect) => total + effect[name], 0);
  const [written, removed] = [sum("written"), sum("removed")];
  const rows = { read: countRead(job), refused: letters.length, skipped, warnings };
  const counts = { ...rows, written, removed, unchanged: mapped - written - removed };
  return { counts, created: sum("created"), letters };
}

/** What became of the rows of one kind of record. */
interface Effects {
  written: number;
  /** Of the written records those that are not stored. */
  created: number;
  removed: number;
}

async function compareRows(
  { records, documents }: Stores["mongo"],
  record: RecordDefinition,
  rows: readonly Incoming[],
  edition: Edition | null,
): Promise<Effects> {
  const incoming = await tellCorrections({ documents }, rows);
  const ids = incoming.map(({ id }) => id);
  const compared = compare(record, incoming, await records.fetchHeld(record, ids));
  if (edition) {
    edition.ids.name({ [record.collection]: ids });
    const isBrought = ({ effect, held }: Written) =>
      effect === "created" && !isGone(held) && isCovered(held, edition);
    edition.brought += compared.filter(isBrought).length;
  }
  return countEffects(compared.map(({ effect }) => effect));
}

async function compareEvents(
  { records }: Stores["mongo"],
  record: RecordDefinition,
  events: readonly PendingEvent[],
): Promise<Effects> {
  const incoming = toIncoming(events);
  const ids = incoming.map(({ id }) => id);
  const named = await records.fetchHeld(record, ids);
  const held = [...named, ...(await fetchAddressed(records, record, events, ids))];
  const told = compare(record, incoming, held);
  const byId = new Map([...held, ...told.map((item) => item.held)].map((item) => [item._id, item]));
  const after = [...byId.values()];
  const settled = compare(record, findOutdone(after, events), after);
  const last = new Map([...told, ...settled].map((item) => [item.held._id, item.effect]));
  const { created } = countEffects([...last.values()]);
  return { ...countEvents(events, { told, settled }, REVISION), created };
}

/** What a correction of all appointments of a number does; null where none is held. */
async function compareCorrection(
  { records }: Stores["mongo"],
  record: RecordDefinition,
  change: HeldChange,
  day: string,
): Promise<"changed" | "known" | null> {
  let effect: "known" | null = null;
  for await (const { held, incoming } of readCorrected({ records }, record, change, day)) {
    if (compare(record, incoming, held).some((item) => item.effect === "changed")) return "changed";
    effect = "known";
  }
  return effect;
}

/** What records come to by what is stated of them. */
function compare(
  record: RecordDefinition,
  incoming: readonly Incoming[],
  stored: readonly HeldRecord[],
): Written[] {
  const held = new Map(stored.map((item) => [item._id, item]));
  const absorbing = { record, revision: REVISION, findTable };
  return incoming.flatMap((item) => planOne(item, held.get(item.id), absorbing).outcome ?? []);
}

function countEffects(effects: readonly (Written["effect"] | ChangeEffect)[]): Effects {
  const count = (wanted: string) => effects.filter((effect) => effect === wanted).length;
  const created = count("created");
  return { created, written: created + count("changed"), removed: count("removed") };
}
