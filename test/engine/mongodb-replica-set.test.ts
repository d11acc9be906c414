/** What the driver sends only to a replica set, or to a server with users; other suites have neither. */
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Binary, Long, ObjectId, Timestamp, type Document } from "mongodb";
import { companyRecord } from "../../api/resources/company-profile/record.ts";
import { DeniedError } from "../../api/shared/runtime/errors.ts";
import { openMongo } from "../../api/shared/stores/mongodb/mongo.ts";
import { createWireServer, type WireCommand } from "../../scripts/bench/worker/wire.ts";
import { describeUnknown } from "../support/mongodb/check.ts";
import { record } from "../support/mongodb/recorder.ts";
import { waitUntil } from "../support/wait-until.ts";

const SUITE = "test/engine/mongodb-replica-set.test.ts";
const HELLO = ["hello", "ismaster"];
const sent = record(SUITE, process.env.MONGODB_COMMANDS);
const partsSent = () => sent.map(({ part }) => part);
const server = createWireServer((command) => answer(command));
let address = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Answers as the primary of a replica set that finds nothing, accepts every write, and refuses every login. */
function answer(command: WireCommand): Document | undefined {
  const [name = "", of] = Object.entries(command)[0] ?? [];
  if (HELLO.includes(name)) return command.maxAwaitTimeMS === undefined ? greeting() : undefined;
  if (name === "saslStart") return { conversationId: 1, done: false, payload: challenge(command) };
  if (name === "saslContinue") return { ok: 0, code: 18, errmsg: "Authentication failed." };
  const cursor = { id: Long.ZERO, ns: `${command.$db}.${String(of)}`, firstBatch: [] };
  return { n: 1, nModified: 1, cursor, ...clusterTime() };
}

function greeting(): Document {
  const limits = {
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
  };
  const wire = { helloOk: true, minWireVersion: 0, maxWireVersion: 25, logicalSessionTimeoutMinutes: 30 };
  const member = { setName: "rs", setVersion: 1, hosts: [address], me: address, primary: address };
  return {
    ...{ ...limits, ...wire, ...member, ...clusterTime() },
    isWritablePrimary: true,
    saslSupportedMechs: ["SCRAM-SHA-256"],
    topologyVersion: { processId: new ObjectId("0123456789abcdef01234567"), counter: Long.ZERO },
    localTime: new Date(),
  };
}

function clusterTime(): Document {
  const signature = { hash: new Binary(new Uint8Array(20)), keyId: Long.ZERO };
  return { $clusterTime: { clusterTime: new Timestamp({ t: 1, i: 1 }), signature } };
}

/** The server's first SCRAM message: the client's nonce with a suffix, a salt, and the number of iterations. */
function challenge({ payload }: WireCommand): Binary {
  const nonce = /r=(.*)$/.exec(Buffer.from((payload as Binary).buffer).toString())?.[1];
  return new Binary(Buffer.from(`r=${nonce}more,s=${Buffer.alloc(16).toString("base64")},i=4096`));
}

it("a replica set gets sessions, its own cluster time, and transaction numbers for retryable writes", async () => {
  const url = `mongodb://${address}/?replicaSet=rs&w=majority`;
  const mongo = openMongo({ url, database: "register", timeoutMs: 5_000 });
  await mongo.ping();
  await mongo.documents.fetchAll("loads", { state: ["a", "b"] });
  await mongo.documents.put("loads", { _id: "one" });
  await mongo.documents.remove("loads", "one");
  await mongo.writer.insertMissing(companyRecord, [{ _id: "1", etag: "e", revision: 1 } as never]);
  await waitUntil(
    () => Promise.resolve(partsSent().includes("hello.maxAwaitTimeMS")),
    "the driver waits for a change of the topology",
  );
  await mongo.close();
  expect(partsSent()).toEqual(
    expect.arrayContaining([
      ...["lsid", "txnNumber", "$clusterTime"].map((member) => `any command.${member}`),
      ...["writeConcern.j", "writeConcern.w", "endSessions"],
    ]),
  );
  expect(describeUnknown(sent)).toEqual([]);
});

it("a user logs in with SCRAM, and a refusal is an access error", async () => {
  const url = `mongodb://somebody:secret@${address}/?replicaSet=rs`;
  const mongo = openMongo({ url, database: "register", timeoutMs: 5_000 });
  await expect(mongo.documents.fetch("loads", "one")).rejects.toThrow(DeniedError);
  await mongo.close();
  expect(partsSent()).toEqual(expect.arrayContaining(["saslStart", "saslContinue"]));
  expect(describeUnknown(sent)).toEqual([]);
});
