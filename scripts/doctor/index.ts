/** Table of contents: every check of `doctor`, in the order in which it is printed. */
import type { Check, Checks } from "./define-check.ts";
import { engineChecks } from "./engines.ts";
import { indexChecks } from "./indices.ts";
import { roomChecks } from "./room.ts";
import { workChecks } from "./work.ts";

const all: Checks = { ...engineChecks, ...roomChecks, ...indexChecks, ...workChecks };

export const checks: Check[] = Object.entries(all).map(([title, run]) => ({ title, run }));
