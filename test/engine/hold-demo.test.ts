/** What the demo holds of callers, as it is started again. */
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { fetchPersonByEmail } from "../../api/shared/access/people.ts";
import { peopleCommands } from "../../scripts/commands/people.ts";
import { openRegister, type TestRegister } from "../support/register.ts";

let register: TestRegister;
beforeAll(async () => {
  register = await openRegister({ withWorker: false });
});
afterAll(() => register.close());

it("leaves the person as it is who was registered anew under the demo's e-mail address", async () => {
  const email = "ann@example.org";
  await register.run(peopleCommands.create, [email]);
  const { documents } = register.stores.mongo;
  const person = await fetchPersonByEmail(documents, email);
  for (const [name, value] of Object.entries(register.config)) process.env[name] = String(value);
  await import("../../scripts/hold-demo.ts");
  expect(await fetchPersonByEmail(documents, email)).toEqual(person);
});
