import { createRequire } from "node:module";
import { describe, expect, it } from "@jest/globals";
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoNetworkError,
  MongoServerError,
  MongoWriteConcernError,
  type BulkWriteResult,
} from "mongodb";
import { DeniedError, UnavailableError } from "../../../api/shared/runtime/errors.ts";
import * as codes from "../../../api/shared/stores/mongodb/codes.ts";
import { guard } from "../../../api/shared/stores/mongodb/faults.ts";

// The driver exports no class of this fault.
const { PoolClearedOnNetworkError } = createRequire(import.meta.url)("mongodb/lib/cmap/errors.js") as {
  PoolClearedOnNetworkError: new (pool: { address: string }) => MongoNetworkError;
};
const interrupted = new PoolClearedOnNetworkError({ address: "localhost:27017" });

const thrownFor = (error: Error) => guard(() => Promise.reject(error)).catch((thrown: unknown) => thrown);
const noResult = {} as BulkWriteResult;

describe("a fault of MongoDB", () => {
  it.each([
    ["a broken connection", new MongoNetworkError("closed")],
    ["a client that this process has closed", new MongoClientClosedError()],
    // The driver hides the connection's error in its own.
    [
      "a connection that broke in a bulk write",
      new MongoBulkWriteError(new MongoNetworkError("x"), noResult),
    ],
    ["a server that was silent too long, whose connections the driver ended", interrupted],
    ["a bulk write on one of those connections", new MongoBulkWriteError(interrupted, noResult)],
    ["a socket that the other end has left", Object.assign(new Error("x"), { code: "EPIPE" })],
    ["a server that shuts down", new MongoServerError({ message: "x", code: 91 })],
    ["a cursor that a restart has lost", new MongoServerError({ message: "x", code: 43 })],
    ["an internal error of the server", new MongoServerError({ message: "x", code: 1 })],
  ])("is temporary: %s", async (_name, error) => {
    expect(await thrownFor(error)).toBeInstanceOf(UnavailableError);
  });

  it.each([
    ["is temporary", codes.PASSING, UnavailableError],
    ["is temporary", codes.TOO_LONG, UnavailableError],
    ["is temporary", codes.OUT_OF_DISK, UnavailableError],
    ["is temporary", codes.UNCONFIRMED, UnavailableError],
    ["is one of user or permissions", codes.DENIED, DeniedError],
    ["stays as it is", codes.DUPLICATE, MongoServerError],
    ["stays as it is", codes.NOT_FOUND, MongoServerError],
  ])("%s with each of the codes %j", async (_what, group, expected) => {
    for (const code of Object.values(group)) {
      expect(await thrownFor(new MongoServerError({ message: "x", code }))).toBeInstanceOf(expected);
    }
  });

  it.each<[string, Error, RegExp]>([
    [
      "a full disk",
      new MongoServerError({ message: "x", code: 14031 }),
      /^mongodb is not available: its disk is full/,
    ],
    [
      "a disk that was full for some documents of a bulk write",
      new MongoBulkWriteError(
        { message: "x", code: 11000, writeErrors: [{ code: 11000 }, { code: 14031 }] as never },
        noResult,
      ),
      /its disk is full/,
    ],
    [
      "a write that too few members have confirmed",
      new MongoWriteConcernError({
        ok: 1,
        writeConcernError: { code: 64, errmsg: "waited too long" },
      }),
      /was not confirmed by as many members as w in MONGODB_URL asks for \(waited too long\)$/,
    ],
    [
      "a write that was not confirmed for a reason of its own",
      new MongoWriteConcernError({ ok: 1, writeConcernError: { code: 8_000, errmsg: "odd" } }),
      /w in MONGODB_URL asks for \(odd\)$/,
    ],
    [
      "a bulk write that too few members have confirmed, some of whose documents existed already",
      new MongoBulkWriteError({ message: "x", code: 11000, writeErrors: [] }, {
        getWriteConcernError: () => ({ code: 100, errmsg: "too few members" }),
      } as unknown as BulkWriteResult),
      /w in MONGODB_URL asks for \(too few members\)$/,
    ],
  ])("is temporary, and its message says what to look at: %s", async (_name, error, sentence) => {
    const thrown = await thrownFor(error);
    expect(thrown).toBeInstanceOf(UnavailableError);
    expect((thrown as Error).message).toMatch(sentence);
  });

  it.each([
    ["a document that its collection refuses", new MongoServerError({ message: "x", code: 121 })],
    ["a duplicate key", new MongoBulkWriteError({ message: "x", code: 11000, writeErrors: [] }, noResult)],
    ["a fault of the code", new TypeError("x")],
  ])("stays as it is: %s", async (_name, error) => {
    expect(await thrownFor(error)).toBe(error);
  });
});
