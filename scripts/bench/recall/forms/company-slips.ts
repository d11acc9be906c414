/** Forms of queries with typing errors in a company's name, and mostly with more than the name. */
import type { CompanyTarget } from "../company-target.ts";
import { formsOf, SLIP, text, type Form } from "../define-form.ts";
import { withSlips } from "../wording.ts";

const SURPLUS = ["invoice", "account", "customer", "payment", "office"];

/** Queries with typing errors. */
export const companySlipForms: readonly Form<CompanyTarget>[] = [
  ...formsOf<CompanyTarget>(
    { least: SLIP },
    {
      "slip and ending": ({ core, ending }, random) => text`${withSlips(core, random)} ${ending}`,
      "slip in the ending": ({ core }, random) =>
        `${core} ${random.pick(["Limted", "Limtied", "Lmited", "Limitd"])}`,
      "slip and surplus word": ({ core }, random) => text`${withSlips(core, random)} ${random.pick(SURPLUS)}`,
      "slip, ending, surplus word": ({ core, ending }, random) =>
        text`${random.pick(SURPLUS)} ${withSlips(core, random)} ${ending}`,
      "slip, trading as": ({ core, ending }, random) =>
        text`${withSlips(core, random)} ${ending} t/a Marigold Bakery`,
      "two slips": ({ core }, random) => withSlips(core, random, 2),
    },
  ),
  ...formsOf<CompanyTarget>(
    { least: SLIP, facts: ["town"] },
    {
      "slip and town": ({ core, town }, random) => text`${withSlips(core, random)} ${town}`,
      "slip, ending, town": ({ core, ending, town }, random) =>
        text`${withSlips(core, random)} ${ending}, ${town}`,
      "slip in the town": ({ core, town = "" }, random) => text`${core} ${withSlips(town, random)}`,
      "two slips and town": ({ core, town }, random) => text`${withSlips(core, random, 2)} ${town}`,
    },
  ),
  ...formsOf<CompanyTarget>(
    { least: SLIP, facts: ["postcode"] },
    {
      "slip and postcode": ({ core, postcode }, random) => text`${withSlips(core, random)} ${postcode}`,
      "slip and address": ({ core, ending, lines: [street], town, postcode }, random) =>
        text`${withSlips(core, random)} ${ending}, ${street}, ${town}, ${postcode}`,
    },
  ),
  ...formsOf<CompanyTarget>(
    { least: SLIP, facts: ["number"] },
    {
      "slip, ending, (number)": ({ core, ending, number }, random) =>
        text`${withSlips(core, random)} ${ending} (${number})`,
    },
  ),
];
