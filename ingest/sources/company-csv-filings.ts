/**
 * Owns how accounts and returns that are held are merged with those of the company CSV. What belongs to one period does
 * not pass to another: it goes when the CSV tells another last period.
 */
import type { CompanyProfile } from "../../api/resources/company-profile/record.ts";
import { isAnother, says } from "../statements/merge.ts";

type Accounts = NonNullable<CompanyProfile["accounts"]>;
type LastAccounts = NonNullable<Accounts["last_accounts"]>;
type NextAccounts = NonNullable<Accounts["next_accounts"]>;
type Statement = NonNullable<CompanyProfile["confirmation_statement"]>;

/** Reference date, last and next accounts, each by itself. */
export function mergeAccounts(held: Accounts, incoming: Accounts): Accounts {
  const reference = incoming.accounting_reference_date ?? held.accounting_reference_date;
  const last = mergeLast(held.last_accounts, incoming.last_accounts);
  const next = mergeNext(held, incoming);
  return {
    ...(reference && { accounting_reference_date: reference }),
    ...(last && { last_accounts: last }),
    ...(next && { next_accounts: next }),
  };
}

/** A type without its period fills a gap: it may be that of other accounts. */
function mergeLast(held?: LastAccounts, incoming?: LastAccounts): LastAccounts | undefined {
  if (!held || !incoming) return incoming ?? held;
  if (incoming.period_end_on === undefined) return { ...incoming, ...held };
  return isAnother(held.period_end_on, incoming.period_end_on) ? incoming : { ...held, ...incoming };
}

/**
 * The CSV tells only the day due. The next period begins after the last and ends by the reference date, so that with
 * another day due it stays while the row confirms the one and does not tell another of the other, and it ends before.
 */
function mergeNext(held: Accounts, incoming: Accounts): NextAccounts | undefined {
  const [before, after] = [held.next_accounts, incoming.next_accounts];
  const [last, toldLast] = [held.last_accounts?.period_end_on, incoming.last_accounts?.period_end_on];
  if (isAnother(last, toldLast)) return after;
  if (!before || !after?.due_on) return after ?? before;
  const { accounting_reference_date: reference } = incoming;
  const isSameYear = reference === undefined || says(held.accounting_reference_date, reference);
  const isSame = last === toldLast && isSameYear && (before.period_end_on ?? "") < after.due_on;
  return isSame || before.due_on === after.due_on ? { ...before, ...after } : after;
}

/** Annual returns: next days are those after the last. */
export function mergeReturns(held: Statement, incoming: Statement): Statement {
  return isAnother(held.last_made_up_to, incoming.last_made_up_to) ? incoming : { ...held, ...incoming };
}

/**
 * Confirmation statements. The CSV's next day is only reckoned from the day due, which may have been put off, so that the
 * held one stays until a statement is filed, unless it is not before the day due.
 */
export function mergeStatements(held: Statement, incoming: Statement): Statement {
  const merged = mergeReturns(held, incoming);
  const { next_made_up_to: next } = held;
  const isSame = held.last_made_up_to === incoming.last_made_up_to && (next ?? "") < (merged.next_due ?? "");
  return next && isSame ? { ...merged, next_made_up_to: next } : merged;
}
