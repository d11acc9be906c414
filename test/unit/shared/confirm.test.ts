import { expect, it } from "@jest/globals";
import { confirm } from "../../../ingest/commands/define-command.ts";

const QUESTION = "The key will be revoked.";

/** Asks somebody who answers so; null: nobody is there. */
async function ask(answer: string | null, isYes = false) {
  const asked: string[] = [];
  const told: string[] = [];
  const context = {
    ask: (question: string) => {
      asked.push(question);
      return Promise.resolve(answer);
    },
    tell: (line: string) => void told.push(line),
  };
  return { isAgreed: await confirm(context, QUESTION, isYes), asked, told };
}

it.each(["y", "yes", "Y", " Yes "])("takes %j for agreement", async (answer) => {
  expect(await ask(answer)).toEqual({ isAgreed: true, asked: [`${QUESTION} [y/N] `], told: [] });
});

it.each(["", "n", "no", "yesterday", "what?"])("takes %j for none, and says so", async (answer) => {
  expect(await ask(answer)).toMatchObject({ isAgreed: false, told: ["nothing was done"] });
});

it("asks nobody who has agreed by --yes", async () => {
  expect(await ask(null, true)).toEqual({ isAgreed: true, asked: [], told: [] });
});

it("refuses in one sentence where nobody can be asked", async () => {
  await expect(ask(null)).rejects.toThrow(
    /^The key will be revoked\. There is no terminal to ask on.* add --yes/,
  );
});
