/** Measures a reload: loads the files of a register, then the same unchanged files again. */
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import type { PartContext, PartOptions, PartReport } from "../define-part.ts";
import { generateFiles, makeTemporaryFolder, REGISTER_FILES } from "../register/generate.ts";
import { settle } from "../rest.ts";
import { compareLoads, formatCompared } from "./compare-loads.ts";
import { loadWithCommand, openPipeline, type LoadResult, type Pipeline } from "./pipeline.ts";

/** One file loaded twice. */
interface Loaded {
  title: string;
  first: LoadResult;
  again: LoadResult;
}

/** Loads all files, then all of them again; each round has its own register. */
export async function measureReload(context: PartContext, options: PartOptions): Promise<PartReport> {
  const { rounds = 1 } = options;
  const folder = makeTemporaryFolder(context);
  const files = await generateFiles(context, folder, options);
  const loaded: Loaded[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const pipeline = await openPipeline(context, `reloaded-${round}`, folder);
    loaded.push(...(await loadTwice(context, pipeline, files)));
    await pipeline.worker.stop();
  }
  return report(loaded);
}

async function loadTwice(
  context: PartContext,
  pipeline: Pipeline,
  files: readonly { title: string; path: string }[],
): Promise<Loaded[]> {
  const loadAll = async (words: string) => {
    const results: LoadResult[] = [];
    for (const { title, path } of files) {
      context.tell(`loading ${title}${words}`);
      results.push(await loadWithCommand(context, pipeline, path));
      await settle(pipeline.config);
    }
    return results;
  };
  const firsts = await loadAll("");
  const seconds = await loadAll(" again");
  return files.map(({ title }, position) => {
    // Every file has been loaded twice.
    const [first, again] = [firsts[position]!, seconds[position]!];
    if (again.counts.written > 0)
      throw new CommandError(
        `${title}: ${again.counts.written} records were written when nothing had changed`,
      );
    return { title, first, again };
  });
}

function report(loaded: readonly Loaded[]): PartReport {
  const titles = REGISTER_FILES.map(({ title }) => title);
  const compared = [...titles, "together"].flatMap((title) => {
    const meant = title === "together" ? loaded : loaded.filter((one) => one.title === title);
    const firsts = meant.map(({ first }) => first);
    const seconds = meant.map(({ again }) => again);
    return [compareLoads(title, firsts), compareLoads(`${title} again`, seconds, firsts)];
  });
  return { lines: formatCompared("file", compared), facts: { files: compared } };
}
