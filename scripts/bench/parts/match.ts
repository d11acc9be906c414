/** The part `match`: whether a customer list is matched to the right companies, and how fast. */
import type { SearchResult } from "../../../api/shared/definitions/search-result.ts";
import type { ShownCompany } from "../../../index-mappings/companies/index.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { drawList, listRegister, type ListedCompany } from "../match/customer-list.ts";
import { measureMatches, type FormOutcome, type MatchOutcome } from "../match/measure.ts";
import { createRandom } from "../random.ts";
import { makeTemporaryFolder } from "../register/generate.ts";
import { generateOtherNames } from "../search/absent-names.ts";
import { KEEP_OPTION, describeCounts, openRegister, type SearchedRegister } from "../search/register.ts";
import { round } from "../statistics.ts";
import { formatTable } from "../table.ts";

const ROWS = 10_000;
const WARM_UP_ROWS = 500;
const PAGE = 2_000;
// The required shares (issue 20).
const LEAST_PRECISION = 0.99;
const LEAST_RECALL = 0.95;

export const matchPart = definePart({
  name: "match",
  title: "Whether a customer list is matched to the right companies, and how fast.",
  details:
    "It fills the real index of companies as the part `search` does, makes a customer list from it, and matches the list\n" +
    "with the code of the command `match`, in this process. A row has a name from the register (as it stands, without its\n" +
    "ending, with a typing error, a former name, or with a wrong town) or a name that no company has. Half of the rows have a\n" +
    "postcode, a quarter a town. `right` is the share of matches with the right company; `first 3` the share of other rows\n" +
    "with the right company, or one that the row does not distinguish from it, among the first three candidates; `open` the\n" +
    `rows without a match. The exit code is 1 if fewer than ${LEAST_PRECISION * 100} % of the matches are right, or fewer than ${LEAST_RECALL * 100} % of the\n` +
    "others are found. --keep is the option of the part `search`, whose --drop removes the register.",
  options: [{ flags: "--rows <number>", description: "rows of the list", default: ROWS }, KEEP_OPTION],
  run: runMatch,
});

async function runMatch(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { companies, seed, own } = options;
  const count = Number(own.rows);
  const registerOptions = {
    companies,
    seed,
    needs: new Set(["companies"] as const),
    isKept: own.keep === true,
  };
  const register = await openRegister(context, registerOptions);
  const { elasticsearch } = register.stores;
  const others = await generateOtherNames(makeTemporaryFolder(context), seed);
  const listed = listRegister(await readCompanies(register), others);
  const random = createRandom(seed);
  const rows = drawList(listed, random, count);
  await measureMatches(elasticsearch, drawList(listed, random, WARM_UP_ROWS));
  context.tell(`matching ${count} rows`);
  const outcome = await measureMatches(elasticsearch, rows);
  const isShort = outcome.precision < LEAST_PRECISION || outcome.recall < LEAST_RECALL;
  return {
    lines: [`${describeCounts(register.documents)}, seed ${seed}`, "", ...describeOutcome(outcome)],
    facts: { companies, seed, rows: count, ...outcome, isShort },
    isShort,
  };
}

async function readCompanies({ stores }: SearchedRegister): Promise<ListedCompany[]> {
  const listed: ListedCompany[] = [];
  for (let last: SearchResult["hits"][number] | undefined; ;) {
    const after = last && { search_after: last.sort };
    const body = {
      query: { match_all: {} },
      sort: [{ id: "asc" }],
      size: PAGE,
      _source: ["shown"],
      ...after,
    };
    const [page] = await stores.elasticsearch.search(["companies"], [body]);
    const hits = page?.hits ?? [];
    for (const { id, source } of hits) listed.push({ ...(source.shown as ShownCompany), number: id });
    last = hits.at(-1);
    if (!last || hits.length < PAGE) return listed;
  }
}

function describeOutcome({ forms, precision, recall, rowsPerSecond, examples }: MatchOutcome): string[] {
  const head = ["form", "rows", "matched", "right", "first 3", "open", "open first 3"];
  return [
    ...formatTable([head, ...forms.map(toCells)]),
    "",
    `precision of matches ${share(precision)} (least ${share(LEAST_PRECISION)}), ` +
      `recall of the others in the first three ${share(recall)} (least ${share(LEAST_RECALL)}), ` +
      `${Math.round(rowsPerSecond)} rows/s`,
    ...(examples.length > 0 ? ["", ...examples] : []),
  ];
}

function toCells({ form, rows, matched, right, existing, found, open, openFound }: FormOutcome): string[] {
  return [
    form,
    String(rows),
    String(matched),
    shareOf(right, matched),
    shareOf(found, existing),
    String(open),
    shareOf(openFound, open),
  ];
}

function shareOf(part: number, all: number): string {
  return all === 0 ? "" : share(part / all);
}

function share(value: number): string {
  return `${round(value * 100, 2)} %`;
}
