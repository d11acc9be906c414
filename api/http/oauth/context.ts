/** Owns what the endpoints of OAuth 2.0 share. */
import type { Logger } from "../../shared/runtime/logger.ts";
import type { DocumentStore } from "../../shared/stores/mongodb/mongo.ts";
import type { KnownCaller } from "../auth/known-caller.ts";
import type { Remembered } from "../auth/remembered.ts";
import type { AppContext } from "../request-context.ts";
import type { Attempts } from "./attempts.ts";
import type { AuthorizationServer } from "./server.ts";

export interface OAuthContext {
  documents: DocumentStore;
  server: AuthorizationServer;
  /** Where access tokens are looked up. */
  tokens: Remembered<KnownCaller>;
  attempts: Attempts;
  clock: () => Date;
  /** Address of the service, without a slash at its end. */
  baseOf: (ctx: AppContext) => string;
  /** Removes expired tokens, grants and sign-ins from time to time. */
  sweep: (log: Logger) => void;
  /** Most calls of the pages, and most failed requests of web servers, from one address in five minutes. */
  addressLimit: number;
}
