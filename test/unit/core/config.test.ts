import { describe, expect, it } from "@jest/globals";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig, readOrigins } from "../../../api/core/config.ts";

describe("readConfig", () => {
  it("has a default for every setting", () => {
    expect(readConfig({}).PORT).toBe(8080);
  });

  it("takes values from the environment, and an empty one for none", () => {
    const config = readConfig({ PORT: "9000", LOG_LEVEL: "debug", HOST: "" });
    expect([config.PORT, config.LOG_LEVEL, config.HOST]).toEqual([9000, "debug", "127.0.0.1"]);
  });

  it("reads a secret from the file that <NAME>_FILE names", () => {
    const path = join(mkdtempSync(join(tmpdir(), "config-")), "secret");
    writeFileSync(path, "mongodb://user:secret@db\n");
    expect(readConfig({ MONGODB_URL_FILE: path }).MONGODB_URL).toBe("mongodb://user:secret@db");
  });

  it("names every fault in one message", () => {
    const faulty = () => readConfig({ PORT: "http", LOG_LEVEL: "loud", REDIS_URL_FILE: "/nowhere/at/all" });
    expect(faulty).toThrow(/PORT must be a whole number[^]*LOG_LEVEL must be one of/);
    expect(faulty).toThrow(/REDIS_URL_FILE cannot be read/);
  });
});

it("tells where each value comes from: the environment before a file, and that before the default", () => {
  const origins = readOrigins({
    PORT: "9000",
    HOST: "",
    REDIS_URL: "redis://a",
    REDIS_URL_FILE: "/a",
    MONGODB_URL_FILE: "/b",
  });
  expect([origins.PORT, origins.HOST, origins.REDIS_URL, origins.MONGODB_URL]).toEqual([
    ...["environment", "default", "environment", "file"],
  ]);
});
