/** Compares loading one officer of very many companies with loading as many ordinary officers. */
import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { PartContext, PartOptions, PartReport } from "../define-part.ts";
import { generateRegister, makeTemporaryFolder } from "../register/generate.ts";
import { writeOneOfficerFile } from "../register/one-officer-file.ts";
import { settle } from "../rest.ts";
import { rotate } from "../turns.ts";
import { compareLoads, formatCompared } from "./compare-loads.ts";
import { loadWithCommand, openPipeline, type LoadResult } from "./pipeline.ts";

// Person numbers that the generator does not use.
const FILES = [
  { name: "ordinary", title: "ordinary officers", person: undefined },
  { name: "nominee", title: "one nominee", person: "900000010001" },
  { name: "person", title: "one person", person: "800000010001" },
] as const;

// Companies to generate beyond those needed: three in a hundred are of a kind without officers.
const SPARE = { factor: 1.05, companies: 100 };

/** Loads each file into its own register, and compares the rates. */
export async function measureNominee(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { rounds = 1 } = options;
  const folder = makeTemporaryFolder(context);
  const files = await writeFiles(context, folder, options);
  const loaded: { name: string; load: LoadResult }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, title, path } of rotate(files, round)) {
      const pipeline = await openPipeline(context, `${name}-${round}`, folder);
      context.tell(`loading ${title}`);
      const load = await loadWithCommand(context, pipeline, path);
      await settle(pipeline.config);
      await pipeline.worker.stop();
      const { written } = load.counts;
      if (written !== options.companies)
        throw new CommandError(`${title}: ${written} of ${options.companies} appointments were written`);
      loaded.push({ name, load });
    }
  }
  return report(loaded);
}

async function writeFiles(context: PartContext, folder: string, { companies, seed }: PartOptions) {
  context.tell(`generating the officers of ${companies} companies`);
  const generated = Math.ceil(companies * SPARE.factor) + SPARE.companies;
  const { officers: from } = await generateRegister(folder, { companies: generated, seed }, ["officers"]);
  const files = FILES.map((file) => ({ ...file, path: join(folder, file.name, basename(from)) }));
  for (const { name, path, person } of files) {
    mkdirSync(join(folder, name));
    await writeOneOfficerFile({ from, to: path, companies, person });
  }
  return files;
}

function report(loaded: readonly { name: string; load: LoadResult }[]): PartReport {
  const loadsOf = (wanted: string) => loaded.filter(({ name }) => name === wanted).map(({ load }) => load);
  const compared = FILES.map(({ name, title }) => compareLoads(title, loadsOf(name), loadsOf("ordinary")));
  return { lines: formatCompared("officers", compared), facts: { files: compared } };
}
