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
    "names the setting for user and password if a store refuses access",
    new DeniedError("redis", "WRONGPASS invalid username-password pair."),
    "redis refuses access: WRONGPASS invalid username-password pair. Set user and password in REDIS_URL.",
  ],
  [
    "names the setting for the address if a store is unavailable",
    new UnavailableError("mongodb", "connect ECONNREFUSED"),
    "mongodb is not available: connect ECONNREFUSED. Is it running? Its address is the setting MONGODB_URL; 'npm run demo' starts all three stores.",
  ],
  [
    "says what to do, without advice about the address, if a store answers but lacks something",
    new NotReadyError("elasticsearch", "run the prepare command"),
    "elasticsearch is not available: run the prepare command",
  ],
  [
    "is the command's own message",
    new CommandError("there is no load of that name"),
    "there is no load of that name",
  ],
  ["is the message about a file", new SourceError("this is no known format"), "this is no known format"],
  [
    "shows control characters, which could steer the terminal or fake a line, as their codes",
    new SourceError('it begins with "\u001b[2J\nwritten 9"'),
    'it begins with "⟨1B⟩[2J⟨0A⟩written 9"',
  ],
  ["is the thrown value if that is no Error", "half a word", "half a word"],
])("the message %s", (_title, error, message) => {
  expect(explain(error)).toBe(message);
});

it("the message is the stack if the fault is in the code", () => {
  expect(explain(new TypeError("x is not a function"))).toMatch(
    /^TypeError: x is not a function\n {4}at .*explain\.test/,
  );
});
