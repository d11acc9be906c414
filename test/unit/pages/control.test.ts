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

/** A register with these controllers of companies, by number, and a list of its reads. `isClosed`: refused with 403. */
function openRegister(
  controlled: Record<string, Controller[]> | ((number: string) => Controller[]),
  isClosed: (number: string) => boolean = () => false,
) {
  const controllersOf = (number: string) =>
    typeof controlled === "function" ? controlled(number) : (controlled[number] ?? []);
  const asked: string[] = [];
  const list = (items: Controller[]) => {
    const active = items.filter(({ ceased_on }) => ceased_on === undefined);
    return { items, active_count: active.length, total_results: items.length };
  };
  const answer = (name: string, number: string): unknown => {
    asked.push(`${name} ${number}`);
    if (isClosed(number)) throw new ApiError(403, []);
    if (name === "company-profile") return companyOf(number);
    return list(name === "psc-list" ? controllersOf(number) : []);
  };
  // The cast: a stand-in for the answers that the picture reads.
  const ask = ((name: string, values: Record<string, string>) =>
    Promise.resolve().then(() => answer(name, values.company_number ?? ""))) as unknown as Ask;
  return { ask, asked };
}

describe("the picture of a company's controllers", () => {
  it("continues upwards from a body that is a company of the register", async () => {
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

  it("shows companies that control each other once", async () => {
    const { ask } = openRegister({ "00000001": [bodyOf("00000002")], "00000002": [bodyOf("00000001")] });
    const { controllers } = await drawControl(ask, companyOf("00000001"));
    expect(controllers[0]?.controllers).toMatchObject([{ to: "/pages/company/00000001", controllers: [] }]);
  });

  it("leaves out controllers that have ceased, and counts the present ones for which it has no room", async () => {
    const present = Array.from({ length: 8 }, (_, at) => bodyOf(`1000000${at}`));
    const { ask } = openRegister({
      "00000001": [bodyOf("00000009", { ceased_on: "2020-01-01" }), ...present],
    });
    const { controllers, furtherControllers } = await drawControl(ask, companyOf("00000001"));
    expect([controllers.length, controllers[0]?.name]).toEqual([6, "Sample 10000000 Limited"]);
    expect(furtherControllers).toBe(2);
  });

  it("looks up twelve bodies in the register at most, however many there are", async () => {
    // Six bodies control each company: 00000011 to 00000016 control 00000001, and so on.
    const digits = [1, 2, 3, 4, 5, 6];
    const { ask, asked } = openRegister((number) =>
      digits.map((digit) => bodyOf(String(Number(number) * 10 + digit).padStart(8, "0"))),
    );
    await drawControl(ask, companyOf("00000001"));
    expect(asked.filter((read) => read.startsWith("company-profile"))).toHaveLength(12);
    expect(asked.length).toBeLessThan(30);
  });

  it("shows a company that the visitor's key may not read as a body outside the register", async () => {
    const { ask } = openRegister({ "00000001": [bodyOf("00000002")] }, (number) => number !== "00000001");
    const { controllers } = await drawControl(ask, companyOf("00000001"));
    expect(controllers).toMatchObject([{ kind: "body", to: "/pages/company/00000001/control" }]);
  });
});
