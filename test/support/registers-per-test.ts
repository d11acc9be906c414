/** Owns registers that last as long as the test that opens them. */
import { afterEach } from "@jest/globals";
import { openRegister, type TestRegister } from "./register.ts";

/** Opens an empty register. */
export type NewRegister = (settings?: Record<string, string>, withWorker?: boolean) => Promise<TestRegister>;

/** Gives what opens registers; behind each test those that it opened are closed: for the head of a file. */
export function registersPerTest(): NewRegister {
  const open: TestRegister[] = [];
  afterEach(async () => {
    for (const register of open.splice(0)) await register.close();
  });
  return async (settings = {}, withWorker = true) => {
    const register = await openRegister({ settings, withWorker });
    open.push(register);
    return register;
  };
}
