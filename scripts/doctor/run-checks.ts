/** Owns the running of checks: all at once, each with a deadline, none of which can break another. */
import { DeniedError, NotReadyError, UnavailableError, messageOf } from "../../api/shared/runtime/errors.ts";
import { LateError, within } from "../../api/shared/runtime/within.ts";
import { fail, warn, type Check, type Finding, type Patient } from "./define-check.ts";

// A store that takes longer than this to answer an operator's question is not well.
const WITHIN_MS = 10_000;

/** A check, and what it found. */
export interface Examined extends Finding {
  title: string;
}

/** Runs all checks, in the order of their list. Never throws. */
export async function runChecks(checks: readonly Check[], patient: Patient): Promise<Examined[]> {
  return Promise.all(checks.map((check) => examine(check, patient)));
}

async function examine({ title, run }: Check, patient: Patient): Promise<Examined> {
  try {
    return oneLine({ title, ...(await within(WITHIN_MS, run(patient))) });
  } catch (error) {
    return oneLine({ title, ...explain(error) });
  }
}

/** What an engine says may have several; each finding is printed in one line. */
function oneLine(examined: Examined): Examined {
  return { ...examined, found: examined.found.replace(/\s*\n\s*/g, " ") };
}

/** That a store is unavailable is reported once, by the check of that store. */
function explain(error: unknown): Finding {
  if (error instanceof LateError) {
    return fail(
      `no answer within ${WITHIN_MS / 1000} s`,
      "check whether the engines are overloaded, and run doctor again",
    );
  }
  if (error instanceof NotReadyError)
    return fail(error.message, "see the other checks of the search indices");
  if (error instanceof DeniedError) {
    return warn(
      `not checked: ${error.message}`,
      `give the service access to ${error.store} (see its own check), and run doctor again`,
    );
  }
  if (error instanceof UnavailableError) {
    return warn(`not checked: ${error.message}`, `start ${error.store}, and run doctor again`);
  }
  return fail(messageOf(error), "this is a fault of the check itself: report it with this message");
}
