/** Owns the HTML of the OAuth 2.0 pages: sign-in, company code, consent, and errors. Pure. */
import type { Child, PropsWithChildren } from "hono/jsx";
import { parseScope, SCOPES } from "../../shared/access/scopes.ts";
import { renderDocument, SmallPage } from "../../shared/html/document.tsx";
import { sharedFiles } from "../../shared/html/files.ts";

export interface FormFacts {
  /** The form token, which binds the form to the browser. */
  word: string;
  fault?: string;
}

/** The sign-in page of an application. */
export function signInPage(facts: FormFacts & { application: string; email?: string }): string {
  return toPage(
    "Sign in",
    <>
      <p>
        <strong>{facts.application}</strong> asks you to sign in. The application does not get your password.
      </p>
      <Alert fault={facts.fault} />
      <Form word={facts.word}>
        <label for="email">E-mail address</label>
        <input
          id="email"
          name="email"
          // Not of the type "email": browsers take no address with ü in one.
          type="text"
          inputmode="email"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
          value={facts.email ?? ""}
        />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        <button type="submit">Sign in</button>
      </Form>
    </>,
    facts.fault,
  );
}

/** The page that asks for a company's authentication code, before anything about the company is granted. */
export function companyCodePage(
  facts: FormFacts & { application: string; company: { number: string; name?: string } },
): string {
  const { number, name } = facts.company;
  const words = name === undefined ? number : `${name} (${number})`;
  return toPage(
    "Company authentication code",
    <>
      <p>
        <strong>{facts.application}</strong> asks to act for company <strong>{words}</strong>. Enter the
        company's authentication code to show that you may decide this.
      </p>
      <Alert fault={facts.fault} />
      <Form word={facts.word} hidden={{ step: "code", company: number }}>
        <label for="code">Authentication code of {words}</label>
        <input
          id="code"
          name="code"
          type="text"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          required
        />
        <button type="submit">Continue</button>
      </Form>
      <Form word={facts.word} hidden={{ step: "decision" }}>
        <Refuse />
      </Form>
    </>,
    facts.fault,
  );
}

/** The page where a person grants or refuses what an application requests. */
export function consentPage(
  facts: FormFacts & { application: string; email: string; scopes: readonly string[]; destination: string },
): string {
  return toPage(
    "Grant access",
    <>
      <p>
        You are signed in as <strong>{facts.email}</strong>.
      </p>
      <p id="asked">
        <strong>{facts.application}</strong> asks for your permission to:
      </p>
      <ul aria-labelledby="asked">
        {facts.scopes.map((scope) => (
          <li>{describeScope(scope)}</li>
        ))}
      </ul>
      <p>
        You will go to <strong>{facts.destination}</strong>. Grant access only if you know this address.
      </p>
      <Form word={facts.word} hidden={{ step: "decision" }}>
        <button type="submit" name="decision" value="grant">
          Grant access
        </button>
        <Refuse />
      </Form>
    </>,
  );
}

/** The error page, for requests without a valid address to send the browser back to. */
export function faultPage(title: string, sentence: string): string {
  return toPage(title, <p>{sentence}</p>);
}

/** A scope in words for the person who decides. */
function describeScope(scope: string): string {
  const { name, companyNumber } = parseScope(scope) ?? { name: scope };
  const words = name in SCOPES ? SCOPES[name as keyof typeof SCOPES] : `Use the permission ${name}`;
  return companyNumber === undefined ? words : `${words}, for company ${companyNumber} only`;
}

/** A form to this page's own address, with the token and values that nobody enters. */
function Form({
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

function Refuse() {
  return (
    <button type="submit" name="decision" value="refuse" class="second">
      Refuse
    </button>
  );
}

function Alert({ fault }: { fault: string | undefined }) {
  if (fault === undefined) return null;
  return (
    <p class="alert" role="alert">
      {fault}
    </p>
  );
}

function toPage(heading: string, body: Child, fault?: string): string {
  const { style, mark } = sharedFiles();
  return renderDocument(
    <SmallPage
      heading={heading}
      {...(fault !== undefined && { alert: "Error" })}
      files={{ style: style.name, mark: mark.name }}
    >
      {body}
    </SmallPage>,
  );
}
