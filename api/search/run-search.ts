/** Owns nothing: the names by which the HTTP API still imports what phases.ts has. */
export { fetchResult, isAskedOften } from "./phases.ts";
