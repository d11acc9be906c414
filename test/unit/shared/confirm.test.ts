import { expect, it } from "@jest/globals";
import { confirm } from "../../../ingest/commands/define-command.ts";

const QUESTION = "The key will be revoked.";

/** Asks a person who gives this answer; null if there is no terminal. */
async function ask(answer: string | null, isYes = false) {
  const asked: string[] = [];
  const printed: string[] = [];
  const context = {
    ask: (question: string) => {
      asked.push(question);
      return Promise.resolve(answer);
    },
    tell: (line: string) => void printed.push(line),
  };
  return { isAgreed: await confirm(context, QUESTION, isYes), asked, printed };
}

it.each(["y", "yes", "Y", " Yes "])("treats %j as agreement", async (answer) => {
  expect(await ask(answer)).toEqual({ isAgreed: true, asked: [`${QUESTION} [y/N] `], printed: [] });
});

it.each(["", "n", "no", "yesterday", "what?"])("treats %j as no agreement, and says so", async (answer) => {
  expect(await ask(answer)).toMatchObject({ isAgreed: false, printed: ["nothing was done"] });
});

it("does not ask with --yes", async () => {
  expect(await ask(null, true)).toEqual({ isAgreed: true, asked: [], printed: [] });
});

it("refuses in one sentence if there is nobody to ask", async () => {
  await expect(ask(null)).rejects.toThrow(
    /^The key will be revoked\. There is no terminal to ask on.* add --yes/,
  );
});
