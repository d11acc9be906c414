/** Owns how the reconciliation service sends its answers. */
import { compileCheck, type JsonSchema } from "../../shared/schemas/validate.ts";
import * as schemas from "../../matching/reconciliation/answer-schemas.ts";
import { answerConditionally } from "../cache-headers.ts";
import type { AppContext } from "../request-context.ts";

/** Sends an answer of one of the schemas. */
export type Send = (ctx: AppContext, schema: JsonSchema, body: Record<string, unknown>) => void;

/** With `checksAnswers`, as in tests, an answer that breaks its schema is an error. */
export function openSend(checksAnswers: boolean): Send {
  const checked = checksAnswers ? Object.values(schemas) : [];
  const checks = new Map(checked.map((schema) => [schema, compileCheck(schema)]));
  return (ctx, schema, body) => {
    const fault = checks.get(schema)?.(body);
    if (fault) throw new Error(`the answer breaks its schema: ${fault.field} ${fault.reason}`);
    answerConditionally(ctx, undefined);
    // Set before the body: Koa would add a charset, which JSON does not have.
    ctx.set("Content-Type", "application/json");
    ctx.body = JSON.stringify(body);
  };
}
