/** The part `recall`: whether people find what they mean, for each form in which they may write a query. */
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { searches } from "../../../api/search/index.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { compareWith, readEarlier } from "../recall/earlier.ts";
import { measureFalsePositives } from "../recall/false-positives.ts";
import { measureSuites, type Measuring } from "../recall/measure.ts";
import { describeRecall } from "../recall/report.ts";
import { suites, type Suite } from "../recall/suites.ts";
import { KEEP_OPTION, describeRegister, indicesOf, openRegister } from "../search/register.ts";

const QUERIES = 80;

export const recallPart = definePart({
  name: "recall",
  title: "Whether the searches find what people mean.",
  details:
    "It fills the real indices as the part `search` does, and asks the searches' own code, in this process, for names of the\n" +
    "register in many forms: with a town, postcode or number, with typing errors, titles or a year of birth, as on an\n" +
    "invoice. `found` is the share of queries with the target among the first 20 results, `first` the share with the target\n" +
    "first. Another record of the same name counts as the target if nothing in the query distinguishes them. `requests` is\n" +
    "the mean number of requests to Elasticsearch, `ms` the median time of a query. The second table is for names that nobody\n" +
    "on the register has, nor a similar one: `unmarked` counts those with a result that is not marked as a similar spelling.\n" +
    "A row below the least shares, worse than in --before, or with anything unmarked is marked, and the exit code is 1.\n" +
    "--keep is the option of the part `search`, whose --drop removes the register.",
  options: [
    { flags: "--queries <number>", description: "queries of each form", default: QUERIES },
    {
      flags: "--forms <words>",
      description:
        "only forms whose name begins with one of these, separated by commas, or by semicolons where a name has commas; no second table",
    },
    {
      flags: "--searches <words>",
      description: `only these searches, comma-separated: ${suites.map(({ name }) => name).join(", ")}`,
    },
    {
      flags: "--misses <number>",
      description: "number of missed queries to print for each form",
      default: 0,
      least: 0,
    },
    {
      flags: "--before <file>",
      description: "output of an earlier run with --json: no form may find less than then",
    },
    KEEP_OPTION,
  ],
  run: runRecall,
});

async function runRecall(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { companies, seed, rounds = 1, own } = options;
  // The same query always finds the same, so more rounds mean more queries.
  const count = Number(own.queries) * rounds;
  const misses = Number(own.misses);
  const chosen = chooseSuites(listOf(own.searches), listOf(own.forms));
  const earlier = typeof own.before === "string" ? readEarlier(own.before) : [];
  // The indices of all suites, chosen or not, so that a kept register serves every run.
  const registerOptions = { companies, seed, needs: indicesOf(suites), isKept: own.keep === true };
  const register = await openRegister(context, registerOptions);
  const { elasticsearch } = register.stores;
  const measuring: Measuring = {
    elasticsearch,
    searches,
    sample: register.sample,
    seed,
    count,
    misses,
    tell: context.tell,
  };
  const results = compareWith(earlier, await measureSuites(measuring, chosen));
  const asksAbsent = own.forms === undefined;
  const falsePositives = asksAbsent ? await measureFalsePositives(measuring, chosen, register.absent) : [];
  const isShort = [...results, ...falsePositives].some((row) => row.isShort);
  return {
    lines: [describeRegister(register, seed), "", ...describeRecall(results, falsePositives)],
    facts: { companies, seed, documents: register.documents, forms: results, falsePositives, isShort },
    isShort,
  };
}

function chooseSuites(names: string[] | undefined, forms: string[] | undefined): Suite[] {
  const chosen = suites
    .filter(({ name }) => names?.includes(name) ?? true)
    .map((suite) => ({ ...suite, forms: suite.forms.filter(({ name }) => isChosen(name, forms)) }))
    .filter((suite) => suite.forms.length > 0);
  if (chosen.length > 0) return chosen;
  const all = new Set(suites.flatMap((suite) => suite.forms.map(({ name }) => name)));
  throw new CommandError(
    `these searches have no form whose name begins so; there are: ${[...all].join("; ")}`,
  );
}

function isChosen(name: string, beginnings: string[] | undefined): boolean {
  return beginnings?.some((beginning) => name.startsWith(beginning)) ?? true;
}

function listOf(words: PartOptions["own"][string]): string[] | undefined {
  if (typeof words !== "string") return undefined;
  const separator = words.includes(";") ? ";" : ",";
  return words
    .split(separator)
    .map((word) => word.trim())
    .filter(Boolean);
}
