/** Table of contents: every check of `doctor`, in the order in which it is printed. */
import { buildChecks } from "./builds.ts";
import type { Check } from "./define-check.ts";
import { engineChecks } from "./engines.ts";
import { indexChecks } from "./indices.ts";
import { roomChecks } from "./room.ts";
import { workChecks } from "./work.ts";

export const checks: Check[] = [
  ...engineChecks,
  ...roomChecks,
  ...indexChecks,
  ...buildChecks,
  ...workChecks,
];
