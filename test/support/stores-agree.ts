/** Owns the look whether both stores hold the same, and profiles show the links of their records. */
import { expect } from "@jest/globals";
import type { Stores } from "../../api/shared/stores/index.ts";
import { expectLinksAgree } from "./links-agree.ts";
import { fetchState, projectState, type RegisterState } from "./register-state.ts";

/**
 * Expects the search documents to be those of the records, and no batch to stand between the stores. Gives what is
 * held.
 */
export async function expectStoresAgree(stores: Stores): Promise<RegisterState> {
  const state = await fetchState(stores);
  expect(state.documents).toEqual(await projectState(stores));
  expect(state.notFollowed).toBe(0);
  await expectLinksAgree(stores);
  return state;
}
