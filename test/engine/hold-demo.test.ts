/** What `hold-demo.ts` does with the demo's callers when the demo starts again. */
import { expect, it } from "@jest/globals";
import { fetchPersonByEmail } from "../../api/shared/access/people.ts";
import { peopleCommands } from "../../scripts/commands/people.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { openRegister } from "../support/register.ts";

const register = forAllTests(() => openRegister({ withWorker: false }));

it("the demo keeps a person who was registered anew under the demo's e-mail address", async () => {
  const email = "ann@example.org";
  await register.run(peopleCommands.create, [email]);
  const { documents } = register.stores.mongo;
  const person = await fetchPersonByEmail(documents, email);
  const environment = process.env;
  const settings = Object.entries(register.config).map(([name, value]) => [name, String(value)] as const);
  process.env = { ...environment, ...Object.fromEntries(settings) };
  // The script runs when it is imported.
  await import("../../scripts/hold-demo.ts").finally(() => (process.env = environment));
  expect(await fetchPersonByEmail(documents, email)).toEqual(person);
});
