/** Owns the part `load`: a first load against the floor or, by options, a second load, one officer of all companies, and memory. */
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { measureAgainstFloor } from "../load/against-floor.ts";
import { measureComplete } from "../load/complete.ts";
import { measureNominee } from "../load/nominee.ts";
import { measureReload } from "../load/reload.ts";

type Measure = (context: PartContext, options: PartOptions) => Promise<PartReport>;

/** What an option asks for. */
const CHOICES: readonly { name: string; description: string; measure: Measure }[] = [
  {
    name: "reload",
    description: "load the three files, then the same files again, and compare the rates",
    measure: warmedUp(measureReload),
  },
  {
    name: "nominee",
    description: "load officers of whom one serves all companies, and compare with ordinary ones",
    measure: warmedUp(measureNominee),
  },
  {
    name: "complete",
    description: "measure the memory of load --complete, and of comparing --ids ids as it does",
    measure: measureComplete,
  },
];

// All officers of the register.
const IDS = 22_600_000;

export const loadPart = definePart({
  name: "load",
  title: "How near a load comes to what the engines' own clients write.",
  details:
    "Generates the bulk files of companies, officers and persons with significant control and loads each two ways\n" +
    "in turn, on the same engines: by the command `load` with one worker, from its start to its end, and as\n" +
    "prepared records and documents through the bulk calls of the engines' own clients (the floor), both stores\n" +
    "at the same time, with the clock standing while they are prepared. The floor's records are plain documents, as\n" +
    "a tool that imports JSON would make them. Both have the same MongoDB indexes, mappings and settings;\n" +
    "WORKER_CONCURRENCY and the sizes of batches are taken from the environment. Then both registers are counted and\n" +
    "must be equal. With more --rounds, the way that goes first changes. A smaller register goes before all of this\n" +
    "without being counted in, so that the engines are warm.\n\n" +
    "Three options measure something else instead, alone or together:\n" +
    "--reload loads the three files and then loads them again, unchanged, into the same register. `ratio` is the rate of\n" +
    "the second load over that of the first; at least 2 is wanted.\n" +
    "--nominee loads three officers files of as many companies as --companies says, one officer for each, into a register\n" +
    "of its own each: officers as they are generated; one nominee for all; one ordinary person for all. `ratio` is the\n" +
    "rate over that of the first file; at least 0.8 is wanted, and command and worker below 400 MB each, at 100,000\n" +
    "companies. With more --rounds, the file that goes first changes. Of few companies a load is mostly its own start.\n" +
    "--complete loads the companies with `load --complete` for the memory of the command, and has a process of its own\n" +
    "compare --ids ids that were named with as many that are stored, through the code of that command; less than 200 MB\n" +
    "is wanted. It is done once, whatever --rounds says. All officers take some 900 MB of the temporary folder (TMPDIR).",
  options: [
    ...CHOICES.map(({ name, description }) => ({ flags: `--${name}`, description })),
    { flags: "--ids <number>", description: "ids that --complete compares", default: String(IDS) },
  ],
  run: runLoad,
});

async function runLoad(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { companies, seed, own } = options;
  const chosen = CHOICES.filter(({ name }) => own[name]);
  if (chosen.length === 0) return warmedUp(measureAgainstFloor)(context, options);
  const report: PartReport = { lines: [], facts: { companies, seed } };
  for (const { name, measure } of chosen) {
    const { lines, facts } = await measure(context, options);
    report.lines.push(...(report.lines.length > 0 ? [""] : []), ...lines);
    report.facts[name] = facts;
  }
  return report;
}

// An engine that has just started compiles its code while it works: whoever went first would pay for it alone.
const WARM_UP_COMPANIES = 20_000;

/** Measures a smaller register first, and leaves the result of that out. */
function warmedUp(measure: Measure): Measure {
  return async (context, options) => {
    const companies = Math.min(WARM_UP_COMPANIES, options.companies);
    await measure(context, { ...options, companies, rounds: 1 });
    return measure(context, options);
  };
}
