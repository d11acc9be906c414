/** Owns version 1 of a company's list of persons with significant control. */
import type { ResourceVersion } from "../define-resource.ts";
import { listEnvelope, presentEnvelope } from "../person-with-significant-control/list-envelope.ts";
import { listItemSchema, presentListItem } from "../person-with-significant-control/present.ts";
import type { PscListRead } from "./read.ts";

const LIST = "persons-with-significant-control";
const WORDS = {
  title: "psc-list",
  description: "A page of a company's persons with significant control, latest notified first.",
};
const STATEMENTS = "persons-with-significant-control-statements";

export const version1: ResourceVersion<PscListRead> = {
  version: 1,
  schema: listEnvelope(WORDS, LIST, listItemSchema, {
    persons_with_significant_control_statements: STATEMENTS,
  }),
  present: (list) => {
    const statements = `/company/${list.companyNumber}/${STATEMENTS}`;
    const links = list.hasStatements ? { persons_with_significant_control_statements: statements } : {};
    return { ...presentEnvelope(list, LIST, links), items: list.items.map(presentListItem) };
  },
};
