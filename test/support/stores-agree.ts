/** Checks that both stores hold the same, and that the links of profiles match the records. */
import { expect } from "@jest/globals";
import type { Stores } from "../../api/shared/stores/index.ts";
import { expectLinksAgree } from "./links-agree.ts";
import { fetchState, projectState, type RegisterState } from "./register-state.ts";

/**
 * Expects the search documents to match the records, all changes to be followed, and the links of profiles to be right.
 * Returns the state of the register.
 */
export async function expectStoresAgree(stores: Stores): Promise<RegisterState> {
  const state = await fetchState(stores);
  expect(state.documents).toEqual(await projectState(stores));
  expect(state.notFollowed).toBe(0);
  await expectLinksAgree(stores);
  return state;
}
