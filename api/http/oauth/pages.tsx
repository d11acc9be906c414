/** The HTML of the OAuth 2.0 pages: sign-in, company code, consent, the applications with access, and errors. Pure. */
import {
  Alert,
  alertOf,
  Form,
  Refuse,
  Scopes,
  SignedInAs,
  toPage,
  type CompanyNames,
  type FormFacts,
} from "./page-parts.tsx";

/** What a person signs in for: the request of an application, or without one the page of their own applications. */
export interface SignInFor {
  application?: string;
  /** Address that tells the application that the person refuses. */
  refusal?: string;
}

/** The sign-in page. */
export function signInPage(facts: FormFacts & SignInFor & { email?: string }): string {
  const { application, refusal } = facts;
  return toPage(
    "Sign in",
    <>
      {application === undefined ? (
        <p>Sign in to see which applications have access in your name, and to end it.</p>
      ) : (
        <p>
          <strong>{application}</strong> asks you to sign in. The application does not get your password.
        </p>
      )}
      <Alert fault={facts.fault} />
      <Form word={facts.word}>
        <label for="email">E-mail address</label>
        <input
          id="email"
          name="email"
          // Not of the type "email", because browsers then refuse addresses with letters such as ü.
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
      {/* A link, because the content security policy lets forms go only to this server. */}
      {refusal === undefined ? null : (
        <p>
          <a href={refusal}>Refuse, and go back</a>
        </p>
      )}
    </>,
    alertOf(facts),
  );
}

/** The page that asks for a company's authentication code, before anything about the company is granted. */
export function companyCodePage(
  facts: FormFacts & { application: string; company: string; companies: CompanyNames },
): string {
  const words = facts.companies.get(facts.company) ?? facts.company;
  return toPage(
    "Company authentication code",
    <>
      <p>
        <strong>{facts.application}</strong> asks to act for company <strong>{words}</strong>. Enter the
        company's authentication code to show that you may decide this.
      </p>
      <Alert fault={facts.fault} />
      <Form word={facts.word} hidden={{ step: "code", company: facts.company }}>
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
    alertOf(facts),
  );
}

interface ConsentFacts extends FormFacts {
  application: string;
  email: string;
  scopes: readonly string[];
  companies: CompanyNames;
  destination: string;
  /** Token of the sign-in. */
  signIn: string;
}

/** The page where a person grants or refuses what an application requests. */
export function consentPage(facts: ConsentFacts): string {
  return toPage(
    "Grant access",
    <>
      <SignedInAs email={facts.email} />
      <p id="asked">
        <strong>{facts.application}</strong> asks for your permission to:
      </p>
      <Scopes labelledBy="asked" scopes={facts.scopes} companies={facts.companies} />
      <p>
        You will go to <strong>{facts.destination}</strong>. Grant access only if you know this address.
      </p>
      <p>
        You can end the access later, on the page of{" "}
        <a href={`applications?sign_in=${facts.signIn}`}>applications with access</a>.
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

/** An application that has access in a person's name. Days in words. */
export interface Access {
  id: string;
  name: string;
  scopes: readonly string[];
  since: string;
  lastUsed?: string | undefined;
}

/** The page of applications with access in a person's name. `ended`: name of the one whose access has just ended. */
export function applicationsPage(
  facts: FormFacts & { email: string; found: readonly Access[]; companies: CompanyNames; ended?: string },
): string {
  const { word, email, found, companies, ended } = facts;
  return toPage(
    "Applications with access",
    <>
      {ended === undefined ? null : (
        <p role="status">
          <strong>{ended}</strong> can no longer act in your name. This takes effect within five seconds.
        </p>
      )}
      <SignedInAs email={email} />
      {found.length > 0 ? null : <p>No application has access in your name.</p>}
      {found.map(({ id, name, scopes, since, lastUsed }) => (
        <section>
          <h2 id={id}>{name}</h2>
          <Scopes labelledBy={id} scopes={scopes} companies={companies} />
          <p class="quiet">
            Access granted on {since}
            {lastUsed === undefined ? "" : `, last used on ${lastUsed}`}.
          </p>
          <Form word={word} hidden={{ step: "end", application: id }}>
            <button type="submit">
              End access<span class="unseen"> of {name}</span>
            </button>
          </Form>
        </section>
      ))}
      <Form word={word} hidden={{ step: "leave" }}>
        <button type="submit" class="second">
          Sign out
        </button>
      </Form>
    </>,
    ended === undefined ? undefined : "Access ended",
  );
}

/** The error page, for requests without a valid address to send the browser back to. */
export function faultPage(title: string, sentence: string): string {
  return toPage(title, <p>{sentence}</p>);
}
