/**
 * The `contract` command: checks, case by case, whether a server is compatible. The cases are in the YAML files of one
 * folder, which are read and completed here.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseAllDocuments } from "yaml";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { defineCommand } from "../../ingest/commands/define-command.ts";
import {
  checkDocument,
  type CaseDocument,
  type ContractCase,
  type EarlierValue,
  type EndpointDocument,
  type NamedCase,
  type SharedDocument,
  type WrittenCase,
} from "../contract/case-file.ts";
import { generateCases } from "../contract/generate-cases.ts";
import {
  buildReport,
  canRun,
  fillDeep,
  holds,
  placeholdersIn,
  requireAnswers,
  runCase,
  type CaseOutcome,
} from "../contract/run-case.ts";

const CASES = join("test", "contract");

const FURTHER_KEYS =
  "keys of applications that some cases need: elsewhere (may call only from 192.0.2.1), limited (2 calls), " +
  "narrow (scope search.read)";

export const contractCommand = defineCommand({
  name: "contract",
  summary: "Run the contract cases against a server and print a compatibility table.",
  effect: "reads",
  details:
    "The cases are in the files test/contract/*.yaml; others are made from the definition of each endpoint. They\n" +
    "apply to any server with the sample register (test/contract/register.json lists its files). The exit code is 0\n" +
    "only if every case that is run passes; cases that need keys which --further-key does not name are not run.",
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
    await requireAnswers(server);
    const outcomes: CaseOutcome[] = [];
    // One after the other, to be gentle with a server that has a rate limit.
    for (const given of cases) {
      if (context.isStopping()) break;
      outcomes.push({ given, mismatch: await runCase(server, given) });
    }
    if (outcomes.length < cases.length)
      context.tell(`stopped; ${cases.length - outcomes.length} cases not run`);
    const isCompatible = outcomes.length === cases.length && outcomes.every(holds);
    const notRun = selected.length - outcomes.length;
    const data = { compatible: isCompatible, not_run: notRun, cases: outcomes.map(toJson) };
    return { exitCode: isCompatible ? 0 : 1, data, lines: buildReport(outcomes, notRun) };
  },
});

function selectCases(folder: string, endpoint: string | undefined): NamedCase[] {
  const cases = readCases(folder).filter((given) => endpoint === undefined || given.endpoint === endpoint);
  if (cases.length > 0) return cases;
  throw new CommandError(endpoint ? `no cases of ${endpoint} in ${folder}` : `no cases in ${folder}`);
}

/** Reads `name=key` pairs, separated by spaces. */
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

/** The folder test/contract of the checkout or of the Docker image; searched in this folder and in those above it. */
export function findCasesFolder(start = import.meta.dirname): string {
  const folder = join(start, CASES);
  if (existsSync(folder)) return folder;
  const parent = dirname(start);
  if (parent === start)
    throw new CommandError(`there is no folder ${CASES} here or above; name one with --cases`);
  return findCasesFolder(parent);
}

/** The documents of a folder, sorted by endpoint. Throws CommandError with the wrong file, and the place in it. */
export function readCaseFolder(folder: string): { endpoints: EndpointDocument[]; shared: SharedDocument[] } {
  const documents = filesIn(folder).flatMap((file) => readDocuments(join(folder, file)));
  const endpoints = documents.filter((document) => "endpoint" in document);
  const shared = documents.filter((document) => "each" in document);
  endpoints.sort((a, b) => (a.endpoint < b.endpoint ? -1 : 1));
  const names = endpoints.map(({ endpoint }) => endpoint);
  const twice = names.find((name, i) => name === names[i - 1]);
  if (twice) throw new CommandError(`${folder}: two documents are about ${twice}; write its cases in one`);
  const unknown = shared.flatMap(({ each }) => Object.keys(each)).find((name) => !names.includes(name));
  if (unknown) throw new CommandError(`${folder}: ${unknown} shares cases but has no document of its own`);
  return { endpoints, shared };
}

/** All cases of a folder with the generated ones, sorted by endpoint. Throws CommandError as `readCaseFolder` does. */
export function readCases(folder: string): NamedCase[] {
  const { endpoints, shared } = readCaseFolder(folder);
  return endpoints.flatMap((document) => completeCases(document, shared));
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(".yaml"));
  } catch {
    throw new CommandError(`cannot read the cases: ${folder} is not a folder that can be read`);
  }
}

function readDocuments(path: string): CaseDocument[] {
  return [...parseAllDocuments(readFileSync(path, "utf8"))].map((document) => {
    const [error] = document.errors;
    if (error) throw new CommandError(`${path}: ${error.message}`);
    const content: unknown = document.toJS();
    const fault = checkDocument(content);
    if (fault) throw new CommandError(`${path}: ${fault}`);
    // checkDocument has just checked it against its schema.
    return content as CaseDocument;
  });
}

/** All cases of an endpoint. Of several with one name its own wins over a shared, and a shared over a generated one. */
export function completeCases(document: EndpointDocument, shared: readonly SharedDocument[]): NamedCase[] {
  const { endpoint } = document;
  const written: Record<string, WrittenCase> = { ...generateCases(document) };
  for (const { each, cases } of shared) {
    const values = each[endpoint];
    if (values) Object.assign(written, fillDeep(cases, values));
  }
  return Object.entries({ ...written, ...document.cases }).map(([name, given]) => ({
    ...completeCase(document, given),
    endpoint,
    name,
  }));
}

function completeCase({ request: whole, from: common }: EndpointDocument, given: WrittenCase): ContractCase {
  const { request = {}, from, status = 200, ...rest } = given;
  const { path, ...sent } = typeof request === "string" ? { path: request } : request;
  const complete = { ...rest, request: { ...sent, path: toPath(whole, path) }, status };
  const steps = Object.entries({ ...common, ...from }).map(([name, step]): Step => {
    return [name, { ...step, path: toPath(whole, step.path) }];
  });
  const used = stepsUsed(complete, steps);
  return used.length > 0 ? { ...complete, from: Object.fromEntries(used) } : complete;
}

/** The path of a request; one that begins with `?` is another query for the endpoint's own path. */
function toPath(whole: string, path = whole): string {
  return path.startsWith("?") ? whole.replace(/\?.*$/, "") + path : path;
}

type Step = readonly [name: string, value: EarlierValue];

/** The steps whose values a case uses, directly or through a later step. Others need no request. */
function stepsUsed(user: unknown, steps: readonly Step[]): Step[] {
  return steps.reduceRight<Step[]>(
    (used, step) => (placeholdersIn([user, used]).includes(step[0]) ? [step, ...used] : used),
    [],
  );
}
