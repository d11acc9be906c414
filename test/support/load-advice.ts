/** Which commands to continue a load are advised after it ended badly. */
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { fetchLatestLoads } from "../../ingest/history/loads.ts";
import { examine, findingOf } from "./doctor.ts";
import type { CommandRun, TestRegister } from "./register.ts";

/** The commands to resume the latest load that this run, `loads show` and `doctor` advise; and the hint of `doctor`. */
export async function fetchAdvice(register: TestRegister, run: CommandRun) {
  const [{ _id: id } = { _id: "" }] = await fetchLatestLoads(register.stores.mongo.documents, 1);
  const { messages, printed } = await register.run(loadsCommands.show, [id]);
  const { hint = "" } = findingOf(await examine(register), "Last load of each format");
  const said = [...run.messages, run.error?.message, ...messages, ...printed, hint].join("\n");
  const commands = said.match(/load --resume \S+?(?=[\s;.]|$)( --force)?/g) ?? [];
  return { id, hint, commands: [...new Set(commands)] };
}
