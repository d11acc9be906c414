/** The part `frozen`: what clients get while one of the stores does not answer. */
import { startApi, type RunningApi } from "../api-process.ts";
import { definePart, type PartContext, type PartOptions, type PartReport } from "../define-part.ts";
import { openFaultProxy, type FaultProxy } from "../fault-proxy.ts";
import { loadCompanies } from "../load/pipeline.ts";
import { readPaths } from "../register/company-file.ts";
import { askSteadily, summariseAnswers, toAnswerRows, type TimedAnswer } from "../steadily.ts";
import { formatTable } from "../table.ts";

const SECONDS = 60;
const A_SECOND = 10;
const LIMIT = 100_000_000;
const WANTED_MS = 2_000;

const STORES = [
  { name: "elasticsearch", setting: "ELASTICSEARCH_URL", needs: "searches" },
  { name: "mongodb", setting: "MONGODB_URL", needs: "lookups" },
  { name: "redis", setting: "REDIS_URL", needs: null },
] as const;

export const frozenPart = definePart({
  name: "frozen",
  title: "What clients get while one of the stores does not answer.",
  details:
    "It loads a generated register and starts the API behind proxies before its stores. Lookups and searches are sent at a\n" +
    "fixed rate, with a key that was used before and has a limit. Then each store in turn is frozen for --seconds: its\n" +
    "connections stay and nothing comes through. What needs the store should get 503 within two seconds, and all else\n" +
    "should be answered within two seconds.",
  options: [
    {
      flags: "--seconds <number>",
      description: "seconds that each store is frozen",
      default: SECONDS,
    },
  ],
  run: measureFrozen,
});

type Kind = "lookups" | "searches";

async function measureFrozen(context: PartContext, options: PartOptions): Promise<PartReport> {
  const ms = Number(options.own.seconds) * 1_000;
  const register = await loadCompanies(context, options, "frozen");
  const proxies = new Map<string, FaultProxy>();
  const config = { ...register.config };
  for (const { name, setting } of STORES) {
    const proxy = await openFaultProxy(config[setting]);
    context.onEnd(`the proxy before ${name}`, proxy.close);
    proxies.set(name, proxy);
    config[setting] = proxy.address;
  }
  const api = await startApi(context, { config, stores: register.stores }, { limit: LIMIT });
  const paths = await readPaths(register.csv);
  await askBoth(api, paths, 5_000);
  context.tell("all stores answer");
  const phases = [judge("all there", await askBoth(api, paths, 10_000), null)];
  for (const { name, needs } of STORES) {
    context.tell(`${name} frozen for ${ms / 1_000} s`);
    proxies.get(name)?.freeze();
    phases.push(judge(`${name} frozen`, await askBoth(api, paths, ms), needs));
    await proxies.get(name)?.restore();
    await askBoth(api, paths, 3_000);
    phases.push(judge(`after ${name}`, await askBoth(api, paths, 3_000), null));
  }
  const rows = phases.flatMap((phase) => phase.rows);
  return {
    lines: formatTable(toAnswerRows(rows)),
    facts: { rows },
    isShort: phases.some(({ isWell }) => !isWell),
  };
}

async function askBoth(
  { client }: RunningApi,
  paths: Record<Kind, string[]>,
  ms: number,
): Promise<Record<Kind, TimedAnswer[]>> {
  const rate = { perSecond: A_SECOND, ms };
  const [lookups, searches] = await Promise.all([
    askSteadily(client, paths.lookups, rate),
    askSteadily(client, paths.searches, rate),
  ]);
  return { lookups, searches };
}

/** Judges a phase: requests that need the frozen store must get 503, all others 200, each within WANTED_MS. */
function judge(title: string, answers: Record<Kind, TimedAnswer[]>, refused: Kind | null) {
  const kinds: readonly Kind[] = ["lookups", "searches"];
  const isWell = kinds.every((kind) =>
    answers[kind].every(({ status, ms }) => status === (kind === refused ? 503 : 200) && ms < WANTED_MS),
  );
  return { rows: kinds.map((kind) => summariseAnswers(`${title}: ${kind}`, answers[kind])), isWell };
}
