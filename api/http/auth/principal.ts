/** Owns the Principal: the caller, however it identified itself. */
import type { Application } from "../../shared/access/applications.ts";

/** The caller. */
export interface Principal {
  /** The name by which calls are counted: the application, or the address of an anonymous caller. */
  countedAs: string;
  /** Most calls in five minutes; absent: no limit. */
  limit?: number;
  /** Absent: a caller without a key or token, or with a wrong one. */
  application?: Application;
  /** The caller's scopes in short form; absent: all. An anonymous caller has none. */
  scopes?: readonly string[];
  /** Id of the person on whose behalf the application calls; absent: on its own. */
  person?: string;
  /** Id of the web client that has the person's token. */
  client?: string;
}
