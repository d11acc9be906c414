/** Owns the commands for API keys. */
import { generateKey, storeKey } from "../../api/core/api-keys.ts";
import { defineCommand } from "../../api/core/define-command.ts";
import { CommandError } from "../../api/core/errors.ts";

// A key stands as the user name of Basic authentication, which ends at the first colon.
const USABLE_KEY = /^[\x21-\x39\x3b-\x7e]{8,200}$/;

export const keysCreateCommand = defineCommand({
  name: "keys create",
  summary: "Create an API key and print it.",
  effect: "writes",
  details: "Only a hash of the key is kept: it cannot be shown again.",
  options: [
    { flags: "--name <name>", description: "who the key is for", required: true },
    {
      flags: "--key <key>",
      description: "use this key (8 to 200 visible characters, no colon) instead of a random one",
    },
  ],
  example: 'keys create --name "billing system"',
  run: async (context, _args, options) => {
    const key = options.key ?? generateKey();
    if (!USABLE_KEY.test(key)) {
      throw new CommandError("the key must have 8 to 200 visible characters and no colon");
    }
    await storeKey(context.openStores().mongo.documents, key, options.name ?? "", new Date());
    context.print(key);
    return 0;
  },
});
