/**
 * Owns GET /company/:company_number/persons-with-significant-control/individual/:notification_id.
 * Unlike its seven siblings it has a register view, which shows the day of birth when it is stored.
 */
import { defineResource, type PathValues, type RecordReader } from "../define-resource.ts";
import { describeKind } from "../person-with-significant-control/describe-kind.ts";
import { fetchPublicSince } from "../person-with-significant-control/company-list.ts";
import { version1, type IndividualRead } from "./v1.ts";
import example from "./example.json" with { type: "json" };

const kind = describeKind("individual");

export const pscIndividual = defineResource({
  ...kind,
  parameters: {
    register_view: {
      kind: "boolean",
      description: "Shows the day of birth while the company's register is on the public register.",
    },
  },
  read: async (
    records: RecordReader,
    path: PathValues,
    query: { register_view: boolean },
  ): Promise<IndividualRead | null> => {
    const psc = await kind.read(records, path);
    if (!psc) return null;
    const { company_number } = psc;
    return {
      psc,
      showsDay: query.register_view && (await fetchPublicSince(records, company_number)) !== null,
    };
  },
  etag: ({ psc }: IndividualRead) => kind.etag(psc),
  versions: [version1],
  example,
});
