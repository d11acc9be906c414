import { describe, expect, it } from "@jest/globals";
import { NotReadyError } from "../../../api/core/errors.ts";
import { companiesIndex } from "../../../index-mappings/companies/index.ts";
import { nextOf } from "../../../index-mappings/define-index.ts";
import { cutDocument, fetchFit } from "../../../ingest/projection/live-fit.ts";

const known = { id: null, shown: null, names: { key: null } };

it("cuts what a mapping does not know, in the parts of a document too, and keeps what it does not look into", () => {
  const document = {
    ...{ id: "1", added: true, shown: { anything: [1] } },
    names: [{ key: "a", added: 1 }, { key: "b" }],
  };
  expect(cutDocument(document, known)).toEqual({
    ...{ id: "1", shown: { anything: [1] } },
    names: [{ key: "a" }, { key: "b" }],
  });
});

describe("documents for the live index", () => {
  let asked = 0;
  const fetchKnownFields = () => {
    asked += 1;
    return Promise.resolve(known);
  };
  const elasticsearch = { builds: { fetchKnownFields } } as unknown as Parameters<typeof fetchFit>[0];
  const live = (version: number) => ({ name: `companies-v${version}-20260301t0412`, meta: {} });

  it.each([
    ["of the same version", companiesIndex, live(companiesIndex.version)],
    ["that does not tell its version", companiesIndex, { name: "restored", meta: {} }],
    ["that is not there", companiesIndex, undefined],
    ["that is being built", nextOf(companiesIndex), live(companiesIndex.version - 1)],
  ])("go whole into one %s", async (_what, index, found) => {
    expect((await fetchFit(elasticsearch, index, found)).isCut).toBe(false);
    expect(asked).toBe(0);
  });

  it("are cut for one of an older version, whose mapping is asked for once", async () => {
    for (let time = 1; time <= 2; time += 1) {
      const { isCut, fit } = await fetchFit(elasticsearch, companiesIndex, live(companiesIndex.version - 1));
      expect([isCut, fit({ id: "1", added: 1 })]).toEqual([true, { id: "1" }]);
    }
    expect(asked).toBe(1);
  });

  it("wait when a newer release has built it", async () => {
    const fetching = fetchFit(elasticsearch, companiesIndex, live(companiesIndex.version + 1));
    await expect(fetching).rejects.toThrow(NotReadyError);
  });
});
