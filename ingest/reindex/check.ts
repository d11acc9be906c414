/** Checks a new index before it goes live: compares counts or documents, and asks questions that it must answer. */
import { formatCount } from "../../api/shared/runtime/format.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { parseQuery } from "../../api/shared/schemas/query-parameters.ts";
import type { Stores } from "../../api/shared/stores/index.ts";
import { QUERY_CHARACTERS } from "../../api/search/reading/query-text.ts";
import type { SearchHit } from "../../api/shared/definitions/search-result.ts";
import { fetchResult } from "../../api/search/phases.ts";
import { searches } from "../../api/search/index.ts";
import { askWithSpellings } from "../../api/search/near-words.ts";
import { fetchRuleMismatch } from "../../index-mappings/name-rules.ts";
import { parsePersonQuery } from "../../index-mappings/names/person-name.ts";
import { nextOf, type IndexAlias, type IndexName } from "../../api/shared/definitions/define-index.ts";
import { compareIndex, countDifferences, describeDifferences } from "../verify/compare-index.ts";
import { catchUp, CheckError, describeTooFew, type ReindexRun, type IndexSet } from "./index-set.ts";

// How many differences or questions a message names.
const NAMED = 10;
// Picks random documents to ask questions about, at most two each.
const ASKED_ABOUT = { size: 50, query: { function_score: { random_score: {} } } };
const PAGE = 100;
// A name without a word cannot be found.
const HAS_WORD = /[\p{L}\p{N}]{2}/u;

/** A new index. `documents`: how many the scan wrote. `isResumed`: a resumed build, whose differences are repaired. */
interface Built {
  name: string;
  documents: number;
  isResumed: boolean;
}

/** Throws CheckError when the new index differs from MongoDB; returns what was compared. */
export async function checkIndex(run: ReindexRun, built: Built, { live }: IndexSet) {
  const { index, minPercent } = run;
  const { elasticsearch } = run.stores;
  const stored = live ? await elasticsearch.count(index.name) : 0;
  // If MongoDB was emptied by accident, the search must not be emptied as well.
  const made = `MongoDB makes ${formatCount(built.documents)} documents of ${index.name}`;
  const fault = describeTooFew(made, { documents: built.documents, live: stored, minPercent });
  if (fault) throw new CheckError(fault);
  await elasticsearch.refresh();
  const outcome = await compareCounts(run, built);
  return { ...outcome, questions: await askQuestions(run, live !== undefined) };
}

/** Compares all documents, unless the index has exactly as many as the scan wrote, and has received no other write. */
async function compareCounts(run: ReindexRun, { name, documents, isResumed }: Built) {
  const { stores, index, observer } = run;
  const next = nextOf(index);
  const found = await stores.elasticsearch.count(next.name);
  const operations = await stores.elasticsearch.builds.countOperations(name);
  if (!isResumed && found === documents && operations === documents)
    return { compared: { expected: documents, found, missing: 0, extra: 0, different: 0 }, repaired: 0 };
  const { compared, repaired, named } = await compareIndex(stores, next, {
    ...{ observer, what: `comparing the new index of ${index.name} with MongoDB` },
    ...{ show: NAMED, isRepair: isResumed, settle: () => catchUp(run) },
  });
  const differing = named.map(
    ({ id, kind, what }) => `${kind} ${id}${what === "version" ? " (version)" : ""}`,
  );
  if (countDifferences(compared) > 0)
    refuse(run, `it differs from MongoDB: ${describeDifferences(compared)}`, differing);
  return { compared, repaired: countDifferences(repaired) };
}

/** Asks questions; returns how many. The new index may fail one that the live index cannot answer either. */
async function askQuestions(run: ReindexRun, hasLive: boolean): Promise<number> {
  const { stores, index } = run;
  const next = nextOf(index);
  const isComparable = hasLive && (await fetchRuleMismatch(stores.elasticsearch, [index.name])) === null;
  const [sample] = await stores.elasticsearch.search([next.name], [ASKED_ABOUT]);
  const questions = (sample?.hits ?? []).flatMap((document) => questionsAbout(index.name, document));
  const unanswered: string[] = [];
  for (const question of questions) {
    if (await isAnswered(stores, next.name, question)) continue;
    const { q, id, place } = question;
    if (!isComparable || (await isAnswered(stores, index.name, question)))
      unanswered.push(`"${q}" does not find ${id}${place === "first" ? " first" : ""}`);
  }
  if (unanswered.length > 0) refuse(run, "it does not answer known questions", unanswered);
  return questions.length;
}

function refuse({ index }: ReindexRun, what: string, named: string[]): never {
  const shown = named.slice(0, NAMED).join("; ");
  throw new CheckError(`the new index of ${index.name} failed its check: ${what} (${shown})`);
}

type Question = ReturnType<typeof questionsAbout>[number];

/** Questions that must find a document: its name, and a company's number, which puts it first. Pure. */
export function questionsAbout(index: IndexName, { id, source }: Pick<SearchHit, "id" | "source">) {
  // The plain search is listed before other searches that use this index alone.
  const search = searches.find(({ indices }) => indices.length === 1 && indices[0] === index);
  if (!search) return [];
  const name = nameOf(source);
  const isAsked = HAS_WORD.test(name) && name.length <= QUERY_CHARACTERS;
  return [
    ...(index === "companies" ? [{ search, q: id, id, place: "first" as const }] : []),
    ...(isAsked ? [{ search, q: name, id, place: "found" as const }] : []),
  ];
}

/** True when the question finds its document, or when a full page has only documents of the same name. */
export async function isAnswered(
  { elasticsearch }: Pick<Stores, "elasticsearch">,
  alias: IndexAlias,
  { search, q, id, place }: Question,
): Promise<boolean> {
  const values = parseQuery(search.parameters, { q, items_per_page: String(PAGE) });
  const ask = askWithSpellings(elasticsearch, [alias]);
  const { hits } = await fetchResult(search, ask, values);
  if (place === "first") return hits[0]?.id === id;
  const words = wordsIn(q);
  const isNamed = ({ source }: SearchHit) => wordsIn(nameOf(source)) === words;
  return hits.some((hit) => hit.id === id) || (hits.length === PAGE && hits.every(isNamed));
}

/** The sorted words of a name, without a title: names with the same words are equal for a search. */
function wordsIn(name: string): string {
  return parsePersonQuery(name).words.toSorted().join(" ");
}

function nameOf(source: Record<string, unknown>): string {
  const shown = source.shown as { company_name?: unknown; title?: unknown } | undefined;
  const name = shown?.company_name ?? shown?.title;
  if (typeof name !== "string") throw new CommandError("a document of the new index has no name");
  return name;
}
