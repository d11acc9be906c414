/** Owns the `contract` command: is a server compatible, case by case? */
import { defineCommand } from "../../ingest/commands/define-command.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import type { NamedCase } from "../contract/case-file.ts";
import { findCasesFolder, readCases } from "../contract/read-cases.ts";
import { buildReport, canRun, holds, runCase, type CaseOutcome } from "../contract/run-case.ts";

const FURTHER_KEYS =
  "keys of applications that some cases need: elsewhere (may call only from 192.0.2.1), limited (2 calls), " +
  "narrow (scope search.read)";

export const contractCommand = defineCommand({
  name: "contract",
  summary: "Run the contract cases against a server and print a compatibility table.",
  effect: "reads",
  details:
    "The cases are the files test/contract/*.yaml, and for every endpoint those that follow from its definition. They " +
    "apply to any server with the sample register (test/contract/register.json lists its files). The exit code is 0 " +
    "only if every case passes.",
  options: [
    { flags: "--base <url>", description: "address of the server", required: true },
    { flags: "--key <key>", description: "API key for the server", required: true },
    { flags: "--further-key <name=key...>", description: FURTHER_KEYS, isList: true },
    { flags: "--endpoint <name>", description: "only the cases of this endpoint" },
    { flags: "--cases <folder>", description: "another folder of cases" },
    { flags: "--vendor <word>", description: "vendor word of its media types; default: the setting VENDOR" },
  ],
  example: "contract --base http://127.0.0.1:8080 --key demo-key",
  run: async (context, _args, options) => {
    const server = {
      base: parseBase(options.base ?? ""),
      key: options.key ?? "",
      keys: parseKeys(options.furtherKey ?? ""),
      vendor: options.vendor ?? context.config.VENDOR,
    };
    const selected = selectCases(options.cases ?? findCasesFolder(), options.endpoint);
    const cases = selected.filter((given) => canRun(server, given));
    const keyless = selected.length - cases.length;
    if (keyless > 0) context.tell(`${keyless} cases need more keys and are not run: see --further-key`);
    const outcomes: CaseOutcome[] = [];
    // One after the other: a server with a rate limit is met with one request at a time.
    for (const given of cases) {
      if (context.isStopping()) break;
      outcomes.push({ given, mismatch: await runCase(server, given) });
    }
    if (outcomes.length < cases.length)
      context.tell(`stopped; ${cases.length - outcomes.length} cases not run`);
    const isCompatible = outcomes.length === cases.length && outcomes.every(holds);
    const data = { compatible: isCompatible, cases: outcomes.map(toJson) };
    return { exitCode: isCompatible ? 0 : 1, data, lines: buildReport(outcomes) };
  },
});

function selectCases(folder: string, endpoint: string | undefined): NamedCase[] {
  const cases = readCases(folder).filter((given) => endpoint === undefined || given.endpoint === endpoint);
  if (cases.length > 0) return cases;
  throw new CommandError(endpoint ? `no cases of ${endpoint} in ${folder}` : `no cases in ${folder}`);
}

/** `name=key`, spaces between. */
function parseKeys(text: string): Record<string, string> {
  const words = text.split(/\s+/).filter((word) => word !== "");
  const pairs = words.map((word) => /^([a-z-]+)=(.+)$/.exec(word));
  if (pairs.includes(null)) throw new CommandError(`--further-key takes name=key, not "${text}"`);
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""]));
}

function parseBase(text: string): string {
  const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
  if (!isAddress) throw new CommandError(`--base must be an http address, not "${text}"`);
  return text.replace(/\/+$/, "");
}

function toJson({ given: { endpoint, name, request }, mismatch }: CaseOutcome) {
  return { endpoint, name, method: request.method ?? "GET", path: request.path, mismatch };
}
