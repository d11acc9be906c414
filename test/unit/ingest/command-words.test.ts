/** Names and texts from outside, in what a command prints: they cannot control the terminal or imitate a line. */
import { expect, it } from "@jest/globals";
import { defineCommand, type CommandContext } from "../../../ingest/commands/define-command.ts";

const NAME = "a\u001b[2J\nwritten   9,999.csv";
const MARKED = "a⟨1B⟩[2J⟨0A⟩written   9,999.csv";

const command = defineCommand({
  ...{ name: "say", summary: "Say a name.", effect: "reads", example: "say" },
  run: async ({ print, tell, ask }, [name = ""]) => {
    print(`printed ${name}`);
    tell(`told ${name}`);
    await ask(`delete ${name}?`);
    return { exitCode: 0, data: { name }, lines: [`result ${name}`] };
  },
});

/** All lines that the command prints, and its question. */
async function linesOf(options: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const context = {
    print: note,
    tell: note,
    ask: (question: string) => Promise.resolve((note(question), null)),
  };
  // The cast: the command uses nothing else.
  await command.run(context as Partial<CommandContext> as CommandContext, [NAME], options);
  return lines;
}

it("a command marks control characters in every line that it prints, and in its question", async () => {
  expect(await linesOf({})).toEqual([
    `printed ${MARKED}`,
    `told ${MARKED}`,
    `delete ${MARKED}?`,
    `result ${MARKED}`,
  ]);
});

it("a command prints JSON with its data unchanged", async () => {
  expect(JSON.parse((await linesOf({ json: "true" })).at(-1) ?? "")).toEqual({ name: NAME });
});

it("a command with an empty argument does not run, and says what to do", async () => {
  const purge = defineCommand({
    ...{ name: "purge", summary: "Purge.", effect: "reads", example: "purge" },
    arguments: [{ name: "[grant]", description: "one of them" }],
    run: () => Promise.reject(new Error("done")),
  });
  // The cast: the context is not used.
  const context = {} as CommandContext;
  await expect(purge.run(context, [""], {})).rejects.toThrow(
    "[grant] is empty; leave it out, or check whether a variable is not set",
  );
});
