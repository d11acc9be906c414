import { describe, expect, it } from "@jest/globals";
import { ApiError } from "../../../api/shared/runtime/errors.ts";
import type { Company, Controller } from "../../../api/pages/answers.ts";
import type { Ask } from "../../../api/pages/define-page.ts";
import { drawControl } from "../../../api/pages/company/picture.tsx";

const companyOf = (number: string): Company => ({
  ...{ company_number: number, company_name: `SAMPLE ${number} LTD`, type: "ltd", links: {} },
});

const bodyOf = (number: string, more: Partial<Controller> = {}): Controller => ({
  kind: "corporate-entity-person-with-significant-control",
  name: `Sample ${number} Limited`,
  natures_of_control: ["ownership-of-shares-75-to-100-percent"],
  identification: { registration_number: number },
  links: {},
  ...more,
});

/** A register of these companies and who controls them; counts its requests. */
function openRegister(
  controlled: Record<string, Controller[]>,
  isClosed: (number: string) => boolean = () => false,
) {
  const asked: string[] = [];
  const list = (items: unknown[]) => ({ items, active_count: items.length, total_results: items.length });
  const answer = (name: string, number: string): unknown => {
    asked.push(`${name} ${number}`);
    if (isClosed(number)) throw new ApiError(403, []);
    if (name === "company-profile") return companyOf(number);
    return list(name === "psc-list" ? (controlled[number] ?? []) : []);
  };
  // The cast: a stand-in for the answers that the picture reads.
  const ask = ((name: string, values: Record<string, string>) =>
    Promise.resolve().then(() => answer(name, values.company_number ?? ""))) as unknown as Ask;
  return { ask, asked };
}

describe("the people and bodies above a company", () => {
  it("continues upwards if a body is a company of the register", async () => {
    const { ask } = openRegister({ "00000001": [bodyOf("00000002")], "00000002": [bodyOf("3")] });
    const { controllers } = await drawControl(ask, companyOf("00000001"));
    expect(controllers).toMatchObject([
      {
        to: "/pages/company/00000002",
        words: "Ownership of shares – 75% or more",
        controllers: [{ name: "Sample 3 Limited", to: "/pages/company/00000002/control" }],
      },
    ]);
  });

  it("does not treat a body as the company of its number if the name differs", async () => {
    const { ask } = openRegister({ "00000001": [bodyOf("00000002", { name: "Elsewhere GmbH" })] });
    const { controllers } = await drawControl(ask, companyOf("00000001"));
    expect(controllers).toMatchObject([{ to: "/pages/company/00000001/control", controllers: [] }]);
  });

  it("draws companies that control each other once", async () => {
    const { ask } = openRegister({ "00000001": [bodyOf("00000002")], "00000002": [bodyOf("00000001")] });
    const { controllers } = await drawControl(ask, companyOf("00000001"));
    expect(controllers[0]?.controllers).toMatchObject([{ to: "/pages/company/00000001", controllers: [] }]);
  });

  it("leaves out persons that have ceased, and says how many do not fit", async () => {
    const present = Array.from({ length: 8 }, (_, at) => bodyOf(`1000000${at}`));
    const { ask } = openRegister({
      "00000001": [bodyOf("00000009", { ceased_on: "2020-01-01" }), ...present],
    });
    const { controllers, furtherControllers } = await drawControl(ask, companyOf("00000001"));
    expect([controllers.length, controllers[0]?.name]).toEqual([6, "Sample 10000000 Limited"]);
    expect(furtherControllers).toBeGreaterThan(1);
  });

  it("asks for a bounded number of companies, however many bodies there are", async () => {
    const numbers = Array.from({ length: 6 }, (_, at) => at);
    const wide = Object.fromEntries(
      ["", ...numbers].flatMap((a) => [
        [`0000001${a || 0}`, numbers.map((b) => bodyOf(`100000${a || 0}${b}`))],
        ...numbers.map((b) => [`100000${a || 0}${b}`, numbers.map((c) => bodyOf(`20000${a || 0}${b}${c}`))]),
      ]),
    ) as Record<string, Controller[]>;
    const { ask, asked } = openRegister(wide);
    await drawControl(ask, companyOf("00000010"));
    expect(asked.length).toBeLessThan(40);
  });

  it("draws a company without permission as an unknown body", async () => {
    const { ask } = openRegister({ "00000001": [bodyOf("00000002")] }, (number) => number !== "00000001");
    const { controllers } = await drawControl(ask, companyOf("00000001"));
    expect(controllers).toMatchObject([{ kind: "body", to: "/pages/company/00000001/control" }]);
  });
});
