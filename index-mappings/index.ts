/** Table of contents: every search index, one line each. */
import type { RecordDefinition } from "../api/shared/definitions/define-record.ts";
import { companiesIndex } from "./companies/index.ts";
import type { IndexDefinition, IndexName, NeededIndex } from "../api/shared/definitions/define-index.ts";
import { disqualifiedOfficersIndex } from "./disqualified-officers/index.ts";
import { officersIndex } from "./officers/index.ts";
import { personsWithSignificantControlIndex } from "./persons-with-significant-control/index.ts";
import { wordsIndex } from "./words/index.ts";

export const indices: IndexDefinition[] = [
  companiesIndex,
  officersIndex,
  disqualifiedOfficersIndex,
  personsWithSignificantControlIndex,
];

/** Names of all indices that the service needs: those above, and the index of words. */
export const neededIndices: NeededIndex[] = [...indices.map(({ name }) => name), wordsIndex.name];

/** The index of this name. Throws when there is none, which the type rules out. */
export function findIndex(name: IndexName): IndexDefinition {
  const found = indices.find((index) => index.name === name);
  if (!found) throw new Error(`there is no index ${name}`);
  return found;
}

/** The indices that are built from records of this kind; none for a kind that is not searched. */
export function indicesOf({ collection }: RecordDefinition): IndexDefinition[] {
  return indices.filter(({ record }) => record.collection === collection);
}
