/** Registers that are closed at the end of the test that opened them. */
import { afterEach } from "@jest/globals";
import { openRegister, type TestRegister } from "./register.ts";

/** Opens an empty register. */
export type NewRegister = (settings?: Record<string, string>, withWorker?: boolean) => Promise<TestRegister>;

/** Call it at the top of a file. Returns a function that opens registers; after each test its registers are closed. */
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
