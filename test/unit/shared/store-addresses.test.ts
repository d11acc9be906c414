import { expect, it } from "@jest/globals";
import { inspect } from "node:util";
import { readConfig } from "../../../api/shared/settings/config.ts";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { openStores } from "../../../api/shared/stores/index.ts";

const opening = (setting: string, address: string): unknown => {
  try {
    return openStores(readConfig({ [setting]: address }));
  } catch (error) {
    return error;
  }
};

it.each([
  ["MONGODB_URL", "mongodb://someone:pa@55:wo/rd@127.0.0.1:27017"],
  ["ELASTICSEARCH_URL", "http://someone:pa#55wo@127.0.0.1:9200"],
  ["REDIS_URL", "redis://:pa#55wo@127.0.0.1:6379"],
])("a wrong %s is reported in a sentence without its password", (setting, address) => {
  const error = opening(setting, address);
  expect(error).toBeInstanceOf(CommandError);
  expect((error as Error).message).toMatch(
    new RegExp(`^${setting} is not a valid address: write characters .* %40$`),
  );
  // A process that the error ends prints it in this way.
  expect(inspect(error)).not.toMatch(/55|wo@/);
});

it("an address without a password is reported with what is wrong with it", () => {
  expect(opening("MONGODB_URL", "127.0.0.1:27017")).toMatchObject({
    message: expect.stringMatching(/^MONGODB_URL is not a valid address: .*mongodb:\/\//),
  });
});
