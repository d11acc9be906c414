/** The file that matching writes, and the messages if it cannot be written. */
import { expect, it } from "@jest/globals";
import { CommandError } from "../../../api/shared/runtime/errors.ts";
import { openOutput } from "../../../scripts/match/output.ts";
import { makeOwnFolder } from "../../support/own-folder.ts";
import { join } from "node:path";

const OPTIONS = { columns: ["Customer"], separator: ",", print: () => undefined };
const folder = makeOwnFolder();

it("a file that cannot be truncated is continued if nothing has to be cut off", async () => {
  const output = await openOutput({ ...OPTIONS, path: "/dev/null", isResumed: true });
  expect(output.rows).toBe(0);
  await output.close();
});

it("rows that cannot be written end the command with a message", async () => {
  const path = join(folder, "closed.csv");
  const output = await openOutput({ ...OPTIONS, path, isResumed: false });
  await output.close();
  const writing = output.write([["Quillory"]]);
  await expect(writing).rejects.toThrow(CommandError);
  await expect(writing).rejects.toThrow(/closed\.csv cannot be written: /);
});
