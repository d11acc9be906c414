/** Table of contents: every command, in the order in which --help lists them. */
import type { CommandDefinition } from "../../ingest/commands/define-command.ts";
import {
  refusedRowsDiscardCommand,
  refusedRowsExportCommand,
  refusedRowsListCommand,
  refusedRowsShowCommand,
} from "../../ingest/commands/refused-rows.ts";
import { followCommand } from "../../ingest/commands/follow.ts";
import { loadCommand } from "../../ingest/commands/load.ts";
import {
  loadsCancelCommand,
  loadsListCommand,
  loadsShowCommand,
  loadsUndoCommand,
} from "../../ingest/commands/loads.ts";
import { reindexCommand } from "../../ingest/commands/reindex.ts";
import { verifyCommand } from "../../ingest/commands/verify.ts";
import { watchCommand } from "../../ingest/commands/watch.ts";
import {
  applicationsChangeCommand,
  applicationsCreateCommand,
  applicationsListCommand,
  applicationsRemoveCommand,
} from "./applications.ts";
import {
  clientsCreateCommand,
  clientsListCommand,
  clientsRemoveCommand,
  grantsListCommand,
  grantsRevokeCommand,
} from "./clients.ts";
import { contractCommand } from "./contract.ts";
import { doctorCommand } from "./doctor.ts";
import { keysCreateCommand, keysListCommand, keysRevokeCommand } from "./keys.ts";
import { matchCommand } from "./match.ts";
import {
  auditCommand,
  companyCodesCreateCommand,
  companyCodesListCommand,
  companyCodesRemoveCommand,
  peopleCreateCommand,
  peopleListCommand,
  peoplePasswordCommand,
  peopleRemoveCommand,
} from "./people.ts";
import { prepareCommand, settingsCommand } from "./setup.ts";
import { statusCommand } from "./status.ts";

export const commands: CommandDefinition[] = [
  loadCommand,
  watchCommand,
  followCommand,
  loadsListCommand,
  loadsShowCommand,
  loadsCancelCommand,
  loadsUndoCommand,
  refusedRowsListCommand,
  refusedRowsShowCommand,
  refusedRowsExportCommand,
  refusedRowsDiscardCommand,
  matchCommand,
  verifyCommand,
  reindexCommand,
  prepareCommand,
  applicationsCreateCommand,
  applicationsListCommand,
  applicationsChangeCommand,
  applicationsRemoveCommand,
  keysCreateCommand,
  keysListCommand,
  keysRevokeCommand,
  clientsCreateCommand,
  clientsListCommand,
  clientsRemoveCommand,
  peopleCreateCommand,
  peopleListCommand,
  peoplePasswordCommand,
  peopleRemoveCommand,
  companyCodesCreateCommand,
  companyCodesListCommand,
  companyCodesRemoveCommand,
  grantsListCommand,
  grantsRevokeCommand,
  auditCommand,
  settingsCommand,
  statusCommand,
  doctorCommand,
  contractCommand,
];

/** What the commands of several words are about, by their first word. */
export const groups: Record<string, string> = {
  "refused-rows": "Rows that loads refused: export them, mend the file, then load FILE --mends LOAD.",
  applications: "Applications that may call, and their terms.",
  keys: "API keys of applications.",
  clients: "Web clients: how applications take part in OAuth 2.0.",
  people: "People who can sign in.",
  "company-codes": "Authentication codes of companies.",
  grants: "What people have granted to web clients.",
  loads: "Loads and their outcome.",
};
