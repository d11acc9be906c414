/** Owns the compatibility table: per endpoint how many of its cases hold, and what does not. */
import type { NamedCase } from "./contract-case.ts";
import type { Mismatch } from "./match.ts";

const MOST_SHOWN = 200;

/** A case that was run. */
export interface CaseOutcome {
  given: NamedCase;
  mismatch: Mismatch;
}

/** Lines of the table, the failures below it, and the totals last. */
export function buildReport(outcomes: readonly CaseOutcome[]): string[] {
  const byEndpoint = new Map<string, CaseOutcome[]>();
  for (const outcome of outcomes) {
    const { endpoint } = outcome.given;
    byEndpoint.set(endpoint, [...(byEndpoint.get(endpoint) ?? []), outcome]);
  }
  const width = Math.max(...[...byEndpoint.keys()].map((name) => name.length));
  const rows = [...byEndpoint].map(([endpoint, own]) => {
    const mark = own.every(holds) ? "holds" : "fails";
    return `${endpoint.padEnd(width)}  ${mark}  ${own.filter(holds).length} of ${own.length} cases`;
  });
  const compatible = [...byEndpoint.values()].filter((own) => own.every(holds)).length;
  return [
    ...rows,
    ...outcomes.filter((outcome) => !holds(outcome)).flatMap(describeFailure),
    "",
    `${compatible} of ${byEndpoint.size} endpoints, ${outcomes.filter(holds).length} of ${outcomes.length} cases`,
  ];
}

/** True when all that the case asks for was so. */
export function holds({ mismatch }: CaseOutcome): boolean {
  return mismatch === null;
}

function describeFailure({ given, mismatch }: CaseOutcome): string[] {
  const { endpoint, name, request, why } = given;
  return [
    "",
    `${endpoint}/${name}: ${request.method ?? "GET"} ${shorten(request.path)}`,
    ...(why ? [`  ${why}`] : []),
    `  ${mismatch}`,
  ];
}

/** Some queries are longer than any name, to see that they are refused. */
function shorten(path: string): string {
  return path.length > MOST_SHOWN ? `${path.slice(0, MOST_SHOWN)}…` : path;
}
