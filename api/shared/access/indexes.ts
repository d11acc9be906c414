/** Owns the MongoDB indexes of what is kept of callers. */
import type { IndexedCollection } from "../stores/mongodb/indexes.ts";
import { GRANTS, TOKENS } from "./grants.ts";
import { PEOPLE } from "./people.ts";
import { SIGN_INS } from "./sign-ins.ts";

/** By e-mail people are found, of whom no two share one; by its end what has ended is removed. */
export const accessIndexes: readonly IndexedCollection[] = [
  { collection: PEOPLE, indexes: [{ fields: ["email"], unique: true }] },
  ...[TOKENS, GRANTS, SIGN_INS].map((collection) => ({ collection, indexes: [{ fields: ["expires_at"] }] })),
];
