/** Owns the messages of failed commands for people at a terminal. */
import {
  CommandError,
  DeniedError,
  NotReadyError,
  SourceError,
  UnavailableError,
  messageOf,
} from "../api/shared/runtime/errors.ts";

const SETTINGS = { mongodb: "MONGODB_URL", elasticsearch: "ELASTICSEARCH_URL", redis: "REDIS_URL" };

/** The sentence alone, with what to do, where the fault is the person's or the engines'; the stack where it is ours. */
export function explain(error: unknown): string {
  if (error instanceof NotReadyError) return error.message;
  if (error instanceof DeniedError)
    return `${sentenceOf(error)} Set user and password in ${SETTINGS[error.store]}.`;
  if (error instanceof UnavailableError)
    return `${sentenceOf(error)} Is it running? Its address is the setting ${SETTINGS[error.store]}; 'npm run demo' starts all three stores.`;
  if (error instanceof CommandError || error instanceof SourceError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
}

function sentenceOf({ message }: Error): string {
  return `${message.replace(/\.$/, "")}.`;
}
