/**
 * Owns the form in which a record keeps what its sources have stated: each as its difference from the record's own data, so
 * that one which says just what is held costs no more than its stamp. Pure.
 */
import { isDeepStrictEqual } from "node:util";
import type { Members } from "../../api/core/members.ts";
import type { Statement } from "../../api/resources/define-record.ts";
import type { Told } from "./statement.ts";

/** A statement as a record of this data keeps it; undefined: the record is gone. */
export function pack({ data, ...stamp }: Told, held: Members | undefined): Statement {
  if (!data) return stamp;
  const beside = held ?? {};
  const own = Object.entries(data).filter(([name, value]) => !isDeepStrictEqual(value, beside[name]));
  const lacks = Object.keys(beside).filter((name) => beside[name] !== undefined && data[name] === undefined);
  return {
    ...stamp,
    ...(own.length > 0 && { data: Object.fromEntries(own) }),
    ...(lacks.length > 0 && { lacks }),
  };
}

/** The statement with all of its data again. */
export function unpack({ data, lacks = [], ...stamp }: Statement, held: Members | undefined): Told {
  if (stamp.gone) return stamp;
  const whole: Members = { ...held, ...data };
  for (const name of lacks) Reflect.deleteProperty(whole, name);
  return { ...stamp, data: whole };
}
