/** Parts that several pages of OAuth 2.0 share: forms, alerts, scopes in words. Pure. */
import type { Child, PropsWithChildren } from "hono/jsx";
import { parseScope, SCOPES } from "../../shared/access/scopes.ts";
import { renderDocument, SmallPage } from "../../shared/html/document.tsx";
import { sharedFiles } from "../../shared/html/files.ts";

export interface FormFacts {
  /** The form token, which binds the form to the browser. */
  word: string;
  fault?: string;
}

/** Companies by number: the name with the number, or the number alone. */
export type CompanyNames = ReadonlyMap<string, string>;

export function Scopes({
  labelledBy,
  scopes,
  companies,
}: {
  labelledBy: string;
  scopes: readonly string[];
  companies: CompanyNames;
}) {
  return (
    <ul aria-labelledby={labelledBy}>
      {scopes.map((scope) => (
        <li>{describeScope(scope, companies)}</li>
      ))}
    </ul>
  );
}

/** A scope in words for the person who decides. */
function describeScope(scope: string, companies: CompanyNames): string {
  const { name, companyNumber } = parseScope(scope) ?? { name: scope };
  const words = name in SCOPES ? SCOPES[name as keyof typeof SCOPES] : `Use the permission ${name}`;
  if (companyNumber === undefined) return words;
  return `${words}, for company ${companies.get(companyNumber) ?? companyNumber} only`;
}

export function SignedInAs({ email }: { email: string }) {
  return (
    <p>
      You are signed in as <strong>{email}</strong>.
    </p>
  );
}

/** A form that is sent to the page's own address, with the form token and hidden values. */
export function Form({
  word,
  hidden = {},
  children,
}: PropsWithChildren<{ word: string; hidden?: Record<string, string> }>) {
  return (
    <form method="post">
      {Object.entries({ word, ...hidden }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  );
}

export function Refuse() {
  return (
    <button type="submit" name="decision" value="refuse" class="second">
      Refuse
    </button>
  );
}

export function Alert({ fault }: { fault: string | undefined }) {
  if (fault === undefined) return null;
  return (
    <p class="alert" role="alert">
      {fault}
    </p>
  );
}

export function alertOf({ fault }: FormFacts): string | undefined {
  return fault === undefined ? undefined : "Error";
}

/** `alert`: what a screen reader says first. */
export function toPage(heading: string, body: Child, alert?: string): string {
  const { style, mark } = sharedFiles();
  return renderDocument(
    <SmallPage
      heading={heading}
      {...(alert !== undefined && { alert })}
      files={{ style: style.name, mark: mark.name }}
    >
      {body}
    </SmallPage>,
  );
}
