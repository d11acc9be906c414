/** Owns the way from the documents of an endpoint to its cases: generated, shared and its own. */
import type { EndpointDocument, SharedDocument, WrittenCase } from "./case-file.ts";
import type { ContractCase, EarlierValue, NamedCase } from "./contract-case.ts";
import { generateCases } from "./generate-cases.ts";
import { fillDeep, placeholdersIn } from "./placeholders.ts";

/** All cases of an endpoint. Of two with one name the more special one counts: its own, then a shared one. */
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
  const steps = Object.entries({ ...common, ...from }).map(
    ([name, step]) => [name, { ...step, path: toPath(whole, step.path) }] as const,
  );
  const used = stepsUsed(complete, steps);
  return used.length > 0 ? { ...complete, from: Object.fromEntries(used) } : complete;
}

/** `?…` is another query of the endpoint's own path. */
function toPath(whole: string, path = whole): string {
  return path.startsWith("?") ? whole.replace(/\?.*$/, "") + path : path;
}

type Step = readonly [name: string, value: EarlierValue];

/** The steps whose values a case uses, also by way of a later step: no other value is requested. */
function stepsUsed(user: unknown, steps: readonly Step[]): Step[] {
  return steps.reduceRight<Step[]>(
    (used, step) => (placeholdersIn([user, used]).includes(step[0]) ? [step, ...used] : used),
    [],
  );
}
