/** Owns the wrong values of query parameters, by kind: what each endpoint must refuse. */
import type { QueryParameter } from "../../api/shared/schemas/query-parameters.ts";

/** A wrong value. */
export interface ParameterFault {
  /** What is wrong with it, as the end of the case's name. */
  kind: string;
  /** Absent: the parameter is left out. */
  value?: string;
  /** Code of the error. */
  error: "invalid-parameter" | "missing-parameter" | "parameter-too-long";
}

// Longer than any text, and short enough for the address of a request.
const TEN_KILOBYTES = 10 * 1024;

/** The wrong values of one parameter; a parameter of words has none, because unknown words are ignored. */
export function faultsOf(parameter: QueryParameter): ParameterFault[] {
  const isRequired = "required" in parameter && parameter.required === true;
  return [...(isRequired ? MISSING : []), ...wrongValues(parameter)];
}

const MISSING: readonly ParameterFault[] = [
  { kind: "missing", error: "missing-parameter" },
  { kind: "empty", value: "", error: "missing-parameter" },
  { kind: "blank", value: " ", error: "missing-parameter" },
];

function wrongValues(parameter: QueryParameter): ParameterFault[] {
  switch (parameter.kind) {
    case "integer":
      return [invalid("no-number", "x"), invalid("not-whole", "1.5")];
    case "boolean":
      return [invalid("no-boolean", "yes")];
    case "choice":
      return [invalid("unknown", "x")];
    case "list":
      return parameter.values ? [invalid("unknown", "x")] : [];
    case "date":
      return [
        invalid("no-day", "2010-02-30"),
        invalid("other-order", "31-12-2010"),
        invalid("words", "yesterday"),
      ];
    case "text":
      return [tooLong("too-long", parameter.maxLength + 1), tooLong("ten-kilobytes", TEN_KILOBYTES)];
    case "words":
      return [];
  }
}

function invalid(kind: string, value: string): ParameterFault {
  return { kind, value, error: "invalid-parameter" };
}

function tooLong(kind: string, length: number): ParameterFault {
  return { kind, value: "q".repeat(length), error: "parameter-too-long" };
}
