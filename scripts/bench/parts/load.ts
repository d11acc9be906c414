/** The part `load`: a first load against the floor; options measure a reload, one officer of all companies, memory. */
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { measureAgainstFloor } from "../load/against-floor.ts";
import { measureComplete } from "../load/complete.ts";
import { measureNominee } from "../load/nominee.ts";
import { measureReload } from "../load/reload.ts";
import { measureWhole } from "../load/whole.ts";

type Measure = (context: PartContext, options: PartOptions) => Promise<PartReport>;

/** The options that choose other measurements. */
const CHOICES: readonly { name: string; description: string; measure: Measure }[] = [
  {
    name: "reload",
    description: "load the three files, then the same files again, and compare the rates",
    measure: warmedUp(measureReload),
  },
  {
    name: "nominee",
    description: "load officers with one serving all companies, and compare with ordinary officers",
    measure: warmedUp(measureNominee),
  },
  {
    name: "complete",
    description: "measure the memory of load --complete, and of comparing --ids ids as it does",
    measure: measureComplete,
  },
  {
    name: "whole",
    description: "load the three files once, without a floor: time, memory and sizes of a whole register",
    measure: measureWhole,
  },
];

// All officers of the real register.
const IDS = 22_600_000;

export const loadPart = definePart({
  name: "load",
  title: "How close a load comes to what the engines' own clients write.",
  details:
    "It generates the bulk files of companies, officers and persons with significant control and loads each in two ways,\n" +
    "in turn, on the same engines: with the command `load` and one worker, from start to end; and as prepared records and\n" +
    "documents with the bulk calls of the engines' own clients (the floor), both stores at the same time (preparing them is\n" +
    "not timed). The floor's records are plain documents, as a tool that imports JSON would make them. Both have the same\n" +
    "MongoDB indexes, mappings and settings. WORKER_CONCURRENCY and the sizes of batches come from the environment. Then both\n" +
    "registers are counted and must be equal. With more --rounds the order changes. A smaller register is loaded first, and\n" +
    "not counted, so that the engines are warm.\n\n" +
    "Four options measure something else instead, alone or together:\n" +
    "--reload loads the three files, then loads them again, unchanged, into the same register. `ratio` compares the rate of\n" +
    "the second load with the first; it should be at least 2.\n" +
    "--nominee loads three officers files, each with one officer for each of --companies companies, into separate registers:\n" +
    "officers as they are generated; one nominee for all; one ordinary person for all. `ratio` compares the rate with that of\n" +
    "the first file; it should be at least 0.8, and command and worker should stay below 400 MB each, at 100,000 companies.\n" +
    "With more --rounds the order changes. With few companies most of a load is its start.\n" +
    "--complete loads the companies with `load --complete` to measure the memory of the command. A separate process compares\n" +
    "--ids named ids with as many stored ids, with the code of that command; it should use less than 200 MB. It runs once,\n" +
    "whatever --rounds says. An id takes 6 bytes.\n" +
    "--whole loads a register of --companies companies (at most 5,000,000) once, and reports rows per second, the memory of\n" +
    "command and worker, for the worker at the beginning and at the end of each file, and the sizes of the stores. The\n" +
    "largest register takes hours, and 80 GB of disk.",
  options: [
    ...CHOICES.map(({ name, description }) => ({ flags: `--${name}`, description })),
    { flags: "--ids <number>", description: "ids that --complete compares", default: IDS },
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

// An engine that has just started still compiles its code, and only the first measurement would pay for that.
const WARM_UP_COMPANIES = 20_000;

/** Measures a smaller register first, and ignores its result. */
function warmedUp(measure: Measure): Measure {
  return async (context, options) => {
    const companies = Math.min(WARM_UP_COMPANIES, options.companies);
    await measure(context, { ...options, companies, rounds: 1 });
    return measure(context, options);
  };
}
