/** Names and texts by others in the output of commands: they cannot control the terminal or fake a line. */
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

async function say(given: Record<string, string>): Promise<string[]> {
  const said: string[] = [];
  const note = (line: string) => void said.push(line);
  const context = {
    print: note,
    tell: note,
    ask: (question: string) => Promise.resolve((note(question), null)),
  };
  // The cast: the command uses nothing else.
  await command.run(context as Partial<CommandContext> as CommandContext, [NAME], given);
  return said;
}

it("marks them in every line, and in what it asks", async () => {
  expect(await say({})).toEqual([
    `printed ${MARKED}`,
    `told ${MARKED}`,
    `delete ${MARKED}?`,
    `result ${MARKED}`,
  ]);
});

it("prints JSON with the same data", async () => {
  expect(JSON.parse((await say({ json: "true" })).at(-1) ?? "")).toEqual({ name: NAME });
});

it("does nothing for an argument that is empty", async () => {
  const purge = defineCommand({
    ...{ name: "purge", summary: "Purge.", effect: "reads", example: "purge" },
    arguments: [{ name: "[grant]", description: "one of them" }],
    run: () => Promise.reject(new Error("done")),
  });
  // The cast: nothing of it is used.
  const context = {} as CommandContext;
  await expect(purge.run(context, [""], {})).rejects.toThrow(
    "[grant] is empty; leave it out, or check whether a variable is not set",
  );
});
