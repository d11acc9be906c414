import { describe, expect, it } from "@jest/globals";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig, readOrigins } from "../../../api/shared/settings/config.ts";
import { settings } from "../../../api/shared/settings/settings.ts";
import { makeOwnFolder } from "../../support/own-folder.ts";

const folder = makeOwnFolder();

describe("readConfig", () => {
  it("gives every absent setting its default", () => {
    const defaults = Object.entries(settings).map(([name, setting]) => [name, setting.default]);
    expect(readConfig({})).toEqual(Object.fromEntries(defaults));
  });

  it("takes values from the environment, and ignores empty ones", () => {
    const config = readConfig({ PORT: "9000", LOG_LEVEL: "debug", HOST: "" });
    expect([config.PORT, config.LOG_LEVEL, config.HOST]).toEqual([9000, "debug", "127.0.0.1"]);
  });

  it.each([" ", "\t"])("treats a variable that is %j as empty", (given) => {
    expect([readConfig({ RATE_LIMIT: given }), readOrigins({ RATE_LIMIT: given }).RATE_LIMIT]).toEqual([
      readConfig({}),
      "default",
    ]);
  });

  it.each(["0x10", "1e3", "-1", "12.0", "9".repeat(20)])("refuses %p as a whole number", (PORT) => {
    expect(() => readConfig({ PORT })).toThrow(/PORT must be a whole number/);
  });

  it("takes a number from the smallest to the largest of its setting", () => {
    for (const days of [1, 365]) expect(readConfig({ STREAM_DAYS: `${days}` }).STREAM_DAYS).toBe(days);
    for (const days of ["0", "366"])
      expect(() => readConfig({ STREAM_DAYS: days })).toThrow(
        `STREAM_DAYS must be a whole number from 1 to 365, not "${days}"`,
      );
  });

  it("reads a secret from the file that <NAME>_FILE names", () => {
    const path = join(folder, "secret");
    writeFileSync(path, "mongodb://user:secret@db\n");
    expect(readConfig({ MONGODB_URL_FILE: path }).MONGODB_URL).toBe("mongodb://user:secret@db");
  });

  it("refuses an empty file if the default would lead to another address", () => {
    const path = join(folder, "empty");
    writeFileSync(path, "\n");
    expect(() => readConfig({ MONGODB_URL_FILE: path })).toThrow(/MONGODB_URL_FILE names an empty file/);
    expect(readConfig({ MONGODB_URL_FILE: path, MONGODB_URL: "mongodb://db" }).MONGODB_URL).toBe(
      "mongodb://db",
    );
    expect(readConfig({ FOLLOW_KEY_FILE: path }).FOLLOW_KEY).toBe("");
  });

  it.each(["register.example", "https://user@register.example", "https://register.example/?a=b", "ftp://a"])(
    "refuses %p as an address for browsers",
    (PUBLIC_URL) => {
      expect(() => readConfig({ PUBLIC_URL })).toThrow(/PUBLIC_URL must be an http or https address/);
    },
  );

  it.each([
    ["INDEX_PREFIX", "Register-", /INDEX_PREFIX must be lower-case letters/],
    ["INDEX_PREFIX", "-register", /beginning with a letter or digit, not "-register"/],
    ["DATABASE_NAME", "company.register", /DATABASE_NAME must be 1 to 63 characters long, without/],
  ])("refuses the %s %p, which the store would refuse", (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(message);
  });

  it("needs a vendor word that fits into a media type", () => {
    expect(() => readConfig({ VENDOR: "Company Register" })).toThrow(/VENDOR must be lower-case letters/);
  });

  it("does not quote an invalid secret in its error", () => {
    const faulty = () => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: "secret" });
    expect(faulty).toThrow(/OTEL_EXPORTER_OTLP_HEADERS must be name=value, comma-separated if several$/);
  });

  it.each(["collector:4318", "http://user:secret@collector:4318", "http://collector:4318?x=y"])(
    "refuses %p as the address of a collector",
    (value) => {
      const faulty = () => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: value });
      expect(faulty).toThrow(
        /OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address without user and query/,
      );
    },
  );

  it("names every fault in one message", () => {
    const faulty = () => readConfig({ PORT: "http", LOG_LEVEL: "loud", REDIS_URL_FILE: "/nowhere/at/all" });
    expect(faulty).toThrow(/PORT must be a whole number[^]*LOG_LEVEL must be one of/);
    expect(faulty).toThrow(/cannot read REDIS_URL_FILE/);
  });
});

it("says where each value comes from: the environment before a file, and a file before the default", () => {
  const full = join(folder, "full");
  const empty = join(folder, "empty");
  writeFileSync(full, "mongodb://b\n");
  writeFileSync(empty, "\n");
  const origins = readOrigins({
    PORT: "9000",
    HOST: "",
    REDIS_URL: "redis://a",
    REDIS_URL_FILE: "/not/looked/at",
    MONGODB_URL_FILE: full,
    ELASTICSEARCH_URL_FILE: empty,
  });
  expect(origins).toMatchObject({
    PORT: "environment",
    HOST: "default",
    REDIS_URL: "environment",
    MONGODB_URL: "file",
    ELASTICSEARCH_URL: "default",
  });
});
