/** Owns a company's exemptions: GET /company/:company_number/exemptions. */
import { ETAG, linkSchema } from "../../shared/schemas/schemas.ts";
import { etagOf } from "../../shared/definitions/define-record.ts";
import { defineResource, type StoredOf } from "../define-resource.ts";
import { envelopeOf } from "../schemas.ts";
import { EXEMPTION_NAMES, exemptionItemsSchema, exemptionsRecord, hasExemptions } from "./record.ts";
import example from "./example.json" with { type: "json" };

const schema = {
  title: "company-exemptions",
  description: "The exemptions of a company from naming its persons with significant control.",
  ...envelopeOf([], {
    etag: ETAG,
    kind: { const: "exemptions" },
    links: linkSchema("self", "^/company/[A-Z0-9]{8}/exemptions$"),
    exemptions: {
      minProperties: 1,
      ...envelopeOf(
        EXEMPTION_NAMES,
        Object.fromEntries(EXEMPTION_NAMES.map((name) => [name, schemaOf(toType(name))])),
      ),
    },
  }),
};

function schemaOf(type: string) {
  return {
    title: `${type}-exemption`,
    description: `Exemption of type \`${type}\`.`,
    ...envelopeOf([], { exemption_type: { const: type }, items: exemptionItemsSchema }),
  };
}

/** An exemption's type is its name, hyphenated. */
function toType(name: string): string {
  return name.replaceAll("_", "-");
}

export function presentExemptions(stored: StoredOf<typeof exemptionsRecord>) {
  const { company_number, exemptions } = stored.data;
  const shown = Object.entries(exemptions).map(([name, { items }]) => [
    name,
    { exemption_type: toType(name), items },
  ]);
  return {
    etag: etagOf(stored),
    kind: "exemptions",
    links: { self: `/company/${company_number}/exemptions` },
    exemptions: Object.fromEntries(shown) as unknown,
  };
}

export const exemptions = defineResource({
  name: "exemptions",
  aliases: ["company-exemptions"],
  path: "/company/:company_number/exemptions",
  scope: "company.read",
  summary: "The exemptions of a company from keeping a register of persons with significant control.",
  record: exemptionsRecord,
  notFound: "company-exemptions-not-found",
  read: async (records, { company_number = "" }) => {
    const stored = await records.fetchOne(exemptionsRecord, { _id: company_number });
    return stored && hasExemptions(stored.data) ? stored : null;
  },
  schema,
  present: presentExemptions,
  example,
});
