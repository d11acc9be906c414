/** The message that a person at the terminal gets about a failed command. */
import { expect, it } from "@jest/globals";
import {
  CommandError,
  DeniedError,
  NotReadyError,
  SourceError,
  UnavailableError,
} from "../../../api/shared/runtime/errors.ts";
import { explain } from "../../../scripts/program.ts";

it.each([
  [
    "the setting with user and password where a store refuses access",
    new DeniedError("redis", "WRONGPASS invalid username-password pair."),
    "redis refuses access: WRONGPASS invalid username-password pair. Set user and password in REDIS_URL.",
  ],
  [
    "the setting with the address of a store that is unavailable",
    new UnavailableError("mongodb", "connect ECONNREFUSED"),
    "mongodb is not available: connect ECONNREFUSED. Is it running? Its address is the setting MONGODB_URL; 'npm run demo' starts all three stores.",
  ],
  [
    "what must be made in a store that answers",
    new NotReadyError("elasticsearch", "run the prepare command"),
    "elasticsearch is not available: run the prepare command",
  ],
  [
    "the sentence of a command",
    new CommandError("there is no load of that name"),
    "there is no load of that name",
  ],
  ["the sentence of a file", new SourceError("this is no known format"), "this is no known format"],
  [
    "the sentence of a file without what would steer a terminal or feign a line",
    new SourceError('it begins with "\u001b[2J\nwritten 9"'),
    'it begins with "⟨1B⟩[2J⟨0A⟩written 9"',
  ],
  ["what was thrown that is no error", "half a word", "half a word"],
])("is %s", (_what, error, told) => {
  expect(explain(error)).toBe(told);
});

it("is the stack if the fault is in the code", () => {
  expect(explain(new TypeError("x is not a function"))).toMatch(
    /^TypeError: x is not a function\n {4}at .*explain\.test/,
  );
});
