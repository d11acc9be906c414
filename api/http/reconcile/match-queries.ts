/** Owns the answers to queries of the reconciliation service: groups of them go to the matcher together. */
import type { Budget } from "../../shared/runtime/budget.ts";
import type { Candidate } from "../../matching/define-match.ts";
import { matchAll, matchings } from "../../matching/matcher.ts";
import { fetchEntities, type Entity } from "../../matching/reconciliation/entities.ts";
import {
  personIdIn,
  presentCandidate,
  presentResult,
  type ReconcileQuery,
} from "../../matching/reconciliation/queries.ts";
import type { SearchStore } from "../../../index-mappings/name-rules.ts";

/** The results of queries, in their order. A query that is a person's identifier finds that person. */
export async function matchQueries(
  elasticsearch: SearchStore,
  queries: readonly ReconcileQuery[],
  budget: Budget | undefined,
): Promise<Record<string, unknown>[]> {
  const questions = queries.flatMap((query) => (personIdIn(query) === null ? query.questions : []));
  const limit = Math.max(1, ...queries.map((query) => query.limit));
  const results = await matchAll(elasticsearch, questions, { limit, budget });
  const byQuestion = new Map(questions.map((question, at) => [question, results[at]] as const));
  const ids = queries.flatMap((query) => personIdIn(query) ?? []);
  const known = await fetchEntities(elasticsearch, ids, budget);
  return queries.map((query) => {
    const id = personIdIn(query);
    if (id !== null) return presentKnown(known.get(id));
    const found = query.questions.flatMap((question) => byQuestion.get(question) ?? []);
    return presentResult(found, query.limit);
  });
}

function presentKnown(entity: Entity | undefined): Record<string, unknown> {
  if (!entity) return { result: [] };
  const { type, hit } = entity;
  const { id, name, status, description } = matchings[type].read({ type, name: "" }).compare(hit);
  const sure = { score: 100, match: true, reasons: ["identifier"], features: {} };
  const candidate: Candidate = { type, id, name, status, description, ...sure };
  return { result: [presentCandidate(candidate, true)] };
}
