/** The commands `company-codes`: authentication codes, which people enter to act for a company. */
import { writeAudit } from "../../api/shared/access/audit.ts";
import {
  fetchCompanyCodes,
  generateCompanyCode,
  removeCompanyCode,
  storeCompanyCode,
} from "../../api/shared/access/company-codes.ts";
import { parsePathNumber } from "../../api/shared/values/company-number.ts";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { CommandError } from "../../api/shared/runtime/errors.ts";
import { defineGroup } from "../../ingest/commands/define-command.ts";
import { removing } from "./removing.ts";

const COMPANY = { name: "<company>", description: "number of the company, eight characters" };

export const companyCodesCommands = defineGroup("company-codes", "Authentication codes of companies.", {
  create: {
    summary: "Create the authentication code of a company, and print it.",
    effect: "writes",
    details:
      "It replaces the company's former code. Only a hash is stored: the code cannot be shown again. The company need not be\n" +
      "loaded yet; the command tells you if it is not.",
    arguments: [COMPANY],
    example: "company-codes create 00912345",
    run: async (context, [given = ""], options) => {
      const company = parseNumber(given);
      const { documents, records } = context.openStores().mongo;
      if (!(await records.fetchOne(companyRecord, { _id: company })))
        context.tell(`company ${company} is not on the register, or not yet: check the number`);
      if (options.dryRun !== undefined) {
        const isThere = (await fetchCompanyCodes(documents)).some(({ _id }) => _id === company);
        const line = `would ${isThere ? "replace the" : "create a"} code of company ${company}`;
        return { exitCode: 0, data: { company_number: company, created: false }, lines: [line] };
      }
      const code = generateCompanyCode();
      await storeCompanyCode(documents, company, code, new Date());
      await writeAudit(documents, { action: "company code created", subject: company });
      return { exitCode: 0, data: { company_number: company, created: true, code }, lines: [code] };
    },
  },

  list: {
    summary: "List the companies that have an authentication code.",
    effect: "reads",
    example: "company-codes list",
    run: async (context) => {
      const codes = await fetchCompanyCodes(context.openStores().mongo.documents);
      const data = codes.map(({ _id, created_at }) => ({ company_number: _id, created_at }));
      const lines = data.map(
        ({ company_number, created_at }) => `${company_number}  created ${created_at.slice(0, 10)}`,
      );
      return { exitCode: 0, data, lines };
    },
  },

  remove: {
    summary: "Remove the authentication code of a company; grants made with it stay.",
    effect: "deletes",
    arguments: [COMPANY],
    example: "company-codes remove 00912345",
    run: removing("remove", async (context, asked) => {
      const company = parseNumber(asked);
      const { documents } = context.openStores().mongo;
      if (!(await fetchCompanyCodes(documents)).some(({ _id }) => _id === company)) {
        throw new CommandError(
          `company ${company} has no code; npm run cli -- company-codes list shows the companies that have one`,
        );
      }
      return {
        label: `the code of ${company}`,
        question: `The code of company ${company} will be removed for good.`,
        data: { company_number: company },
        audit: { action: "company code removed", subject: company },
        remove: () => removeCompanyCode(documents, company),
      };
    }),
  },
});

function parseNumber(text: string): string {
  const number = parsePathNumber(text);
  if (number !== null) return number;
  throw new CommandError(`a company number has eight characters, not "${text}"`);
}
