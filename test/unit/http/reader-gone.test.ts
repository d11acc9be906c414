import { expect, it } from "@jest/globals";
import { openKoa } from "../../../api/http/request-context.ts";
import { ClientDisconnectedError } from "../../../api/shared/runtime/deadlines.ts";
import { UnavailableError } from "../../../api/shared/runtime/errors.ts";
import type { Logger } from "../../../api/shared/runtime/logger.ts";
import type { Config } from "../../../api/shared/settings/config.ts";

/** The log lines of an error after the headers were sent. */
function linesOf(error: Error): string[][] {
  const lines: string[][] = [];
  const at = (level: string) => (_facts: unknown, words: string) => void lines.push([level, words]);
  const log = { warn: at("warn"), info: at("info") } as unknown as Logger;
  openKoa({ TRUSTED_PROXIES: 0 } as Config, log, "stream interrupted").emit("error", error);
  return lines;
}

it.each(["ECONNRESET", "EPIPE"])("logs a reader that breaks its connection (%s) as one that left", (code) => {
  expect(linesOf(Object.assign(new Error(`read ${code}`), { code }))).toEqual([
    ["info", "the reader broke its connection"],
  ]);
});

it.each([
  Object.assign(new Error("Premature close"), { code: "ERR_STREAM_PREMATURE_CLOSE" }),
  new ClientDisconnectedError(),
])("logs no line more of a reader that has left: %p", (error) => {
  expect(linesOf(error)).toEqual([]);
});

it("warns when a store breaks its connection during an answer", () => {
  const cause = Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  expect(linesOf(new UnavailableError("mongodb", cause))).toEqual([["warn", "stream interrupted"]]);
});
