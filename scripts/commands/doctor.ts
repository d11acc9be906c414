/** Owns the `doctor` command: is everything as it should be, and where it is not, what is to be done? */
import { formatNumber, showText } from "../../api/shared/runtime/format.ts";
import { defineCommand } from "../../ingest/commands/define-command.ts";
import type { Verdict } from "../doctor/define-check.ts";
import { checks } from "../doctor/index.ts";
import { runChecks, type Examined } from "../doctor/run-checks.ts";

const MARKS: Record<Verdict, string> = { ok: "ok  ", warn: "warn", fail: "FAIL" };

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
    const count = (verdict: Verdict) => examined.filter((each) => each.verdict === verdict).length;
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
  // The reason of a load that failed may quote its file.
  const line = showText(`${MARKS[verdict]}  ${title}: ${found}`);
  return hint ? [line, `      -> ${hint}`] : [line];
}
