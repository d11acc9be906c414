/** Owns the Principal: whoever calls, however they have said who they are. */
import type { Application } from "../../core/access/applications.ts";

/** Who calls. */
export interface Principal {
  /** By which the calls are counted: the application, or the address of somebody without one. */
  countedAs: string;
  /** Most calls in five minutes; absent: any number. */
  limit?: number;
  /** Absent: somebody without a key or token, or with a wrong one. */
  application?: Application;
  /** Scopes in short form that the caller has; absent: all. Nobody's are none. */
  scopes?: readonly string[];
  /** Id of the person in whose name the application calls; absent: in its own. */
  person?: string;
  /** Id of the web client that has the person's token. */
  client?: string;
}
