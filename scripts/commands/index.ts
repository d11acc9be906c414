/** Table of contents: every command, in the order in which --help lists them. */
import type { CommandDefinition } from "../../ingest/commands/define-command.ts";
import { refusedRowsCommands } from "../../ingest/commands/refused-rows.ts";
import { followCommand } from "../../ingest/commands/follow.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import { loadsCommands } from "../../ingest/commands/loads.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { watchCommand } from "../../ingest/commands/watch.ts";
import { applicationsCommands } from "./applications.ts";
import { auditCommand } from "./audit.ts";
import { clientsCommands } from "./clients.ts";
import { companyCodesCommands } from "./company-codes.ts";
import { contractCommand } from "./contract.ts";
import { doctorCommand } from "./doctor.ts";
import { grantsCommands } from "./grants.ts";
import { keysCommands } from "./keys.ts";
import { matchCommand } from "./match.ts";
import { peopleCommands } from "./people.ts";
import { prepareCommand, settingsCommand } from "./setup.ts";
import { statusCommand } from "./status.ts";

export const commands: CommandDefinition[] = [
  loadCommand,
  watchCommand,
  followCommand,
  ...Object.values(loadsCommands),
  ...Object.values(refusedRowsCommands),
  matchCommand,
  verifyCommand,
  reindexCommand,
  prepareCommand,
  ...Object.values(applicationsCommands),
  ...Object.values(keysCommands),
  ...Object.values(clientsCommands),
  ...Object.values(peopleCommands),
  ...Object.values(companyCodesCommands),
  ...Object.values(grantsCommands),
  auditCommand,
  settingsCommand,
  statusCommand,
  doctorCommand,
  contractCommand,
];
