/** Owns the forms in which a company's name is misspelt and more than the name is there. */
import type { CompanyTarget } from "../company-target.ts";
import { SLIP, type Form } from "../define-form.ts";
import { withSlips } from "../wording.ts";
import { text } from "./text.ts";

const SURPLUS = ["invoice", "account", "customer", "payment", "office"];

const slipForms: readonly Form<CompanyTarget>[] = [
  {
    name: "slip and ending",
    write: ({ core, ending }, random) => text`${withSlips(core, random)} ${ending}`,
  },
  {
    name: "slip and town",
    tells: ["town"],
    write: ({ core, town }, random) => text`${withSlips(core, random)} ${town}`,
  },
  {
    name: "slip, ending, town",
    tells: ["town"],
    write: ({ core, ending, town }, random) => text`${withSlips(core, random)} ${ending}, ${town}`,
  },
  {
    name: "slip in the town",
    tells: ["town"],
    write: ({ core, town = "" }, random) => text`${core} ${withSlips(town, random)}`,
  },
  {
    name: "slip and postcode",
    tells: ["postcode"],
    write: ({ core, postcode }, random) => text`${withSlips(core, random)} ${postcode}`,
  },
  {
    name: "slip and surplus word",
    write: ({ core }, random) => text`${withSlips(core, random)} ${random.pick(SURPLUS)}`,
  },
  {
    name: "slip, ending, surplus word",
    write: ({ core, ending }, random) => text`${random.pick(SURPLUS)} ${withSlips(core, random)} ${ending}`,
  },
  {
    name: "slip, ending, (number)",
    tells: ["number"],
    write: ({ core, ending, number }, random) => text`${withSlips(core, random)} ${ending} (${number})`,
  },
  {
    name: "slip, trading as",
    write: ({ name }, random) => text`${withSlips(name, random)} t/a Marigold Bakery`,
  },
  { name: "two slips", write: ({ core }, random) => withSlips(core, random, 2) },
  {
    name: "two slips and town",
    tells: ["town"],
    write: ({ core, town }, random) => text`${withSlips(core, random, 2)} ${town}`,
  },
];

/** Forms with slips. */
export const companySlipForms: readonly Form<CompanyTarget>[] = slipForms.map((form) => ({
  ...form,
  least: SLIP,
}));
