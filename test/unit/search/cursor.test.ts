/** Cursors: where and in which phase a search continues. */
import { expect, it } from "@jest/globals";
import type { Phase } from "../../../api/shared/definitions/search-result.ts";
import { nextCursor, readCursor } from "../../../api/search/cursor.ts";
import type { Phases } from "../../../api/search/define-search.ts";
import { companyHit } from "../../support/company-searches.ts";

const ASKED = { name: "search-companies", values: { q: "tarnfell" } };
const build = () => ({ sort: [{ _score: "desc" }, { id: "asc" }] });
const readability = () => ({ isMore: false, isReadable: true });
const HIT = { ...companyHit(), sort: [3.5, "00912345"] };

const cursorOf = (phase: Phase) => nextCursor({ phase, hits: [HIT], total: 2 }, ASKED, 0);

it.each<[phases: string, Phases, Phase[]]>([
  ["the strict phase", { build, last: "strict" }, ["strict"]],
  ["two phases", { build }, ["strict", "tolerant"]],
  ["all phases", { build, readability }, ["strict", "tolerant", "read"]],
])("a search with %s continues only in these", (_phases, phases, expected) => {
  for (const phase of ["strict", "tolerant", "read"] as const) {
    const read = () => readCursor(cursorOf(phase), ASKED, phases);
    if (expected.includes(phase)) expect(read()).toEqual({ phase, offset: 1, after: HIT.sort });
    else expect(read).toThrow(expect.objectContaining({ status: 400 }));
  }
});
