/** The `doctor` command: runs all checks, and prints for each fault what to do. */
import { DeniedError, NotReadyError, UnavailableError, messageOf } from "../../api/shared/runtime/errors.ts";
import { formatNumber } from "../../api/shared/runtime/format.ts";
import { LateError, within } from "../../api/shared/runtime/deadlines.ts";
import { defineCommand } from "../../ingest/commands/define-command.ts";
import { fail, warn, type Checks, type Finding, type CheckContext } from "../doctor/define-check.ts";
import { engineChecks, roomChecks } from "../doctor/engines.ts";
import { indexChecks } from "../doctor/indices.ts";
import { workChecks } from "../doctor/work.ts";

/** Every check, in the order in which it is printed. */
export const checks: Checks = { ...engineChecks, ...roomChecks, ...indexChecks, ...workChecks };

const MARKS = { ok: "ok  ", warn: "warn", fail: "FAIL" };

export const doctorCommand = defineCommand({
  name: "doctor",
  summary: "Check engines, indices, queue, loads and keys, and say how to repair each fault.",
  effect: "reads",
  details:
    "Changes nothing; you can run it at any time. It prints a line for each check, and below it what to do if it fails.\n" +
    "Exit code: 0 no check fails (there may be warnings), 1 a check fails.",
  example: "doctor",
  run: async ({ config, openStores }) => {
    const examined = await runChecks(checks, { config, stores: openStores(), now: Date.now });
    const count = (verdict: Finding["verdict"]) => examined.filter((each) => each.verdict === verdict).length;
    const [oks, warnings, failures] = [count("ok"), count("warn"), count("fail")];
    return {
      exitCode: failures > 0 ? 1 : 0,
      data: { ok: failures === 0, warnings, failures, checks: examined },
      lines: [
        ...examined.flatMap(formatCheck),
        "",
        `${oks} ok, ${formatNumber(warnings, "warning")}, ${formatNumber(failures, "failure")}`,
      ],
    };
  },
});

function formatCheck({ verdict, title, found, hint }: Examined): string[] {
  const line = `${MARKS[verdict]}  ${title}: ${found}`;
  return hint ? [line, `      -> ${hint}`] : [line];
}

// A store that takes longer than this to answer a check is in trouble.
const WITHIN_MS = 10_000;

/** What a check found, with its title. */
export interface Examined extends Finding {
  title: string;
}

/** Runs all checks, in the order of their list. Never throws. */
export async function runChecks(checks: Checks, patient: CheckContext): Promise<Examined[]> {
  const examined = Object.entries(checks).map(async ([title, run]) => {
    const finding = await within(WITHIN_MS, run(patient)).catch(explain);
    // An engine's message may have several lines, but a finding is printed in one.
    return { title, ...finding, found: finding.found.replace(/\s*\n\s*/g, " ") };
  });
  return Promise.all(examined);
}

/** The finding for an error. An unavailable store is only a warning here: its own check reports the fault. */
function explain(error: unknown): Finding {
  if (error instanceof LateError) {
    return fail(
      `no answer within ${WITHIN_MS / 1000} s`,
      "check whether the engines are overloaded, and run doctor again",
    );
  }
  if (error instanceof NotReadyError)
    return fail(error.message, "see the other checks of the search indices");
  if (error instanceof UnavailableError || error instanceof DeniedError) {
    const isDenied = error instanceof DeniedError;
    const way = isDenied
      ? `give the service access to ${error.store} (see its own check)`
      : `start ${error.store}`;
    return warn(`not checked: ${error.message}`, `${way}, and run doctor again`);
  }
  return fail(messageOf(error), "this is a fault of the check itself: report it with this message");
}
