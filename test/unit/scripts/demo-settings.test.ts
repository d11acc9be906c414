/** The settings of the demo's worker and API. */
import { expect, it } from "@jest/globals";
import { resolve } from "node:path";

// By its path, since its types are declared nowhere.
const { settingsOf } = (await import(resolve("scripts/bootstrap/demo.mjs"))) as {
  settingsOf: (
    given: Record<string, string>,
    engines: Record<string, string>,
    port: number,
  ) => Record<string, string>;
};

it("the demo takes the settings of its user, except for the addresses that it chooses itself", () => {
  const given = { PAGES: "key", RATE_LIMIT: "5", HOST: "0.0.0.0", REDIS_URL: "" };
  expect(settingsOf(given, { REDIS_URL: "redis://[::1]" }, 8081)).toMatchObject({
    ...{ PAGES: "key", RATE_LIMIT: "5", HOST: "127.0.0.1", PORT: "8081", REDIS_URL: "redis://[::1]" },
  });
});

it("the demo opens its pages to everybody by default", () => {
  for (const given of [{}, { PAGES: "" }])
    expect(settingsOf(given, {}, 8080)).toMatchObject({ PAGES: "open" });
});
