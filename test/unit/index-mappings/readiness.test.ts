/** What the readiness page answers, and how often it checks the stores. */
import { expect, it } from "@jest/globals";
import { messageOf } from "../../../api/shared/runtime/errors.ts";
import { openReadiness, requireIndices } from "../../../index-mappings/readiness.ts";
import { closeNodes, open, startNode } from "../../support/fake-nodes.ts";

const fine = () => Promise.resolve();
const faulty = () => Promise.reject(new Error("no such store"));
const unfit = () =>
  requireIndices({ fetchAliasedIndices: () => Promise.resolve([]) }, () => Promise.resolve("reindex"));

it("readiness is 200 if every check passes, and 503 with the sentence of the fault if one fails", async () => {
  await expect(openReadiness({ one: fine, two: fine })()).resolves.toEqual({
    status: 200,
    body: { status: "ready", checks: { one: "ok", two: "ok" } },
  });
  await expect(openReadiness({ one: fine, two: unfit })()).resolves.toEqual({
    status: 503,
    body: { status: "not ready", checks: { one: "ok", two: "reindex" } },
  });
});

it("readiness checks the stores once for all requests of the same moment, and again for a later one", async () => {
  let checks = 0;
  let isWell = true;
  const ask = openReadiness({
    one: () => {
      checks += 1;
      return isWell ? fine() : faulty();
    },
  });
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(checks).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  isWell = false;
  expect((await ask()).status).toBe(503);
  expect(checks).toBe(2);
});

it("readiness shows no words of a foreign error, and reports them for the log", async () => {
  const html = "<html>upstream es-7.internal:9200 failed</html>";
  const node = await startNode((response) =>
    response.writeHead(500, { "content-type": "text/html" }).end(html),
  );
  const store = open(node);
  const lookAtRules = () => Promise.resolve(null);
  const faults: unknown[] = [];
  const ask = openReadiness({
    elasticsearch: () => store.ping(),
    indices: () => requireIndices(store, lookAtRules),
    other: faulty,
  });
  const { status, body } = await ask((name, error) => faults.push([name, messageOf(error)]));
  await closeNodes();
  expect(status).toBe(503);
  expect(JSON.stringify(body)).not.toMatch(/upstream|no such store/);
  expect(body.checks).toMatchObject({
    other: "is not available",
    indices: expect.stringMatching(/is not available$/),
  });
  expect(faults).toContainEqual(["other", "no such store"]);
});
