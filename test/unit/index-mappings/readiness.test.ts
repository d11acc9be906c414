/** What the readiness page answers, and how often the stores are asked for it. */
import { expect, it } from "@jest/globals";
import { openReadiness } from "../../../index-mappings/readiness.ts";

const fine = () => Promise.resolve();
const faulty = () => Promise.reject(new Error("no such store"));

it("is 200 when all is well, 503 with the fault's sentence when one check fails", async () => {
  await expect(openReadiness({ one: fine, two: fine })()).resolves.toEqual({
    status: 200,
    body: { status: "ready", checks: { one: "ok", two: "ok" } },
  });
  await expect(openReadiness({ one: fine, two: faulty })()).resolves.toEqual({
    status: 503,
    body: { status: "not ready", checks: { one: "ok", two: "no such store" } },
  });
});

it("asks the stores once for all who ask at the same time, and anew for those who ask later", async () => {
  let asked = 0;
  let isWell = true;
  const ask = openReadiness({
    one: () => {
      asked += 1;
      return isWell ? fine() : faulty();
    },
  });
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(asked).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  isWell = false;
  expect((await ask()).status).toBe(503);
  expect(asked).toBe(2);
});
