/** Measures recall: sends queries of each form, and looks at which rank their targets are. */
import type { SearchStore } from "../../../index-mappings/name-rules.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { SearchDefinition } from "../../../api/search/define-search.ts";
import { createRandom } from "../random.ts";
import { partOf } from "../register/record-groups.ts";
import type { RegisterSample } from "../search/sample.ts";
import { median, round } from "../statistics.ts";
import { askSearch } from "./ask.ts";
import type { Least } from "./define-form.ts";
import type { FoundItem } from "./found-item.ts";
import type { FormOfSearch, Probe, Suite } from "./suites.ts";

/** A query whose target was not the first. */
export interface Miss {
  query: string;
  target: string;
  /** Rank of the target, from 1; null if it is not among the first 20. */
  rank: number | null;
  didYouMean: string | undefined;
  /** Descriptions of the first items that were found instead. */
  items: string[];
}

/** The figures of a form. */
export interface FormResult {
  form: string;
  search: string;
  queries: number;
  /** Share of queries whose target is among the first 20. */
  found: number;
  /** Share of queries whose target is the first. */
  first: number;
  /** Mean requests to Elasticsearch. */
  requests: number;
  medianMs: number;
  least: Least | null;
  isShort: boolean;
  misses: Miss[];
}

/** What measuring needs. */
export interface Measuring {
  elasticsearch: SearchStore;
  searches: readonly SearchDefinition[];
  sample: RegisterSample;
  seed: number;
  /** Queries of each form. */
  count: number;
  /** How many misses of each form are reported. */
  misses: number;
  /** Writes a line of progress. */
  tell: (line: string) => void;
}

const DRAWS_PER_QUERY = 200;
const WARM_UP_QUERIES = 100;
const SEEDS = 1_000_000;
const SHOWN_ITEMS = 3;
const NOT_FOUND = 1_000;

/** Measures all forms of the suites. */
export async function measureSuites(measuring: Measuring, suites: readonly Suite[]): Promise<FormResult[]> {
  const results: FormResult[] = [];
  for (const suite of suites) {
    const search = findSearch(measuring, suite);
    measuring.tell(`asking ${suite.name} in ${suite.forms.length} forms`);
    await warmUp(measuring, suite, search);
    for (const form of suite.forms) results.push(await measureForm(measuring, suite, form, search));
  }
  return results;
}

/** The search of a suite. Throws CommandError if it does not exist. */
export function findSearch({ searches }: Pick<Measuring, "searches">, { path }: Suite): SearchDefinition {
  const search = searches.find((other) => other.path === path);
  if (!search) throw new CommandError(`there is no search ${path}`);
  return search;
}

/** Sends queries before the measurement, so that code is compiled and caches are filled. */
async function warmUp(measuring: Measuring, { forms }: Suite, search: SearchDefinition): Promise<void> {
  const random = createRandom(measuring.seed + 1);
  for (let asked = 0; asked < WARM_UP_QUERIES; asked += 1) {
    const probe = random.pick(forms).draw(measuring.sample, random);
    if (probe) await askSearch(measuring.elasticsearch, search, probe.query);
  }
}

type Missed = Pick<Miss, "rank"> & { probe: Probe };

async function measureForm(
  measuring: Measuring,
  suite: Suite,
  form: FormOfSearch,
  search: SearchDefinition,
): Promise<FormResult> {
  const probes = drawProbes(measuring, suite, form);
  const asked: { rank: number; requests: number; ms: number }[] = [];
  const missed: Missed[] = [];
  for (const probe of probes) {
    const { items, requests, ms } = await askSearch(measuring.elasticsearch, search, probe.query);
    const rank = items.findIndex(probe.isTarget) + 1;
    asked.push({ rank, requests, ms });
    if (rank !== 1) missed.push({ probe, rank: rank || null });
  }
  const share = (isCounted: (rank: number) => boolean) =>
    round(asked.filter(({ rank }) => isCounted(rank)).length / asked.length, 4);
  const shares = { found: share((rank) => rank > 0), first: share((rank) => rank === 1) };
  return {
    form: form.name,
    search: suite.name,
    queries: asked.length,
    ...shares,
    requests: round(asked.reduce((sum, one) => sum + one.requests, 0) / asked.length, 2),
    medianMs: round(median(asked.map(({ ms }) => ms)), 2),
    least: form.least ?? null,
    isShort: isShort(shares, form.least),
    misses: await explainMisses(measuring, search, missed),
  };
}

function isShort({ found, first }: { found: number; first: number }, least: Least | undefined): boolean {
  return least !== undefined && (found < least.found || first < (least.first ?? 0));
}

function drawProbes({ sample, seed, count }: Measuring, suite: Suite, form: FormOfSearch): Probe[] {
  // Each form has its own seed, so that leaving out one form does not change the queries of the others.
  const random = createRandom(seed * SEEDS + partOf(`${suite.name} ${form.name}`, SEEDS));
  const probes: Probe[] = [];
  for (let draws = 0; probes.length < count && draws < count * DRAWS_PER_QUERY; draws += 1) {
    const probe = form.draw(sample, random);
    if (probe) probes.push(probe);
  }
  return probes;
}

/** Sends the queries of the reported misses again, to get reasons; targets that were not found at all come first. */
async function explainMisses(
  { elasticsearch, misses: most }: Measuring,
  search: SearchDefinition,
  missed: readonly Missed[],
): Promise<Miss[]> {
  const reported = missed.toSorted((a, b) => (b.rank ?? NOT_FOUND) - (a.rank ?? NOT_FOUND)).slice(0, most);
  const misses: Miss[] = [];
  for (const { probe, rank } of reported) {
    const { query, target } = probe;
    const { items, didYouMean } = await askSearch(elasticsearch, search, query, true);
    misses.push({ query, target, rank, didYouMean, items: items.slice(0, SHOWN_ITEMS).map(describeItem) });
  }
  return misses;
}

/** `QUILLORY PRESS LTD #01234567, LEEDS [4 begins-with-words]`. */
export function describeItem({ title, path, address, birth, match }: FoundItem): string {
  const number = path.find((segment) => /^[A-Z0-9]{8}$/.test(segment));
  const facts = [title + (number ? ` #${number}` : ""), birth, address.locality, address.postal_code];
  return facts.filter(Boolean).join(", ") + (match ? ` [${match.tier} ${match.reason}]` : "");
}
