/** Owns the HTML of the OAuth 2.0 pages: sign-in, company code, consent, and errors. Pure. */
import { parseScope, SCOPES } from "../../core/access/scopes.ts";
import { Html, html } from "../../core/html.ts";

/** What every form contains. */
export interface FormFacts {
  /** The form token, which binds the form to the browser. */
  word: string;
  /** What was wrong with the last input. */
  fault?: string;
}

/** The sign-in page of an application. */
export function signInPage(facts: FormFacts & { application: string; email?: string }): string {
  return page(
    "Sign in",
    html`<p>
        <strong>${facts.application}</strong> asks you to sign in. The application does not get your password.
      </p>
      ${faultBox(facts.fault)}
      <form method="post">
        ${hidden("word", facts.word)}
        <label for="email">E-mail address</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          value="${facts.email ?? ""}"
        />
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        <button type="submit">Sign in</button>
      </form>`,
    facts.fault,
  );
}

/** The page that asks for a company's authentication code, before anything about the company is granted. */
export function companyCodePage(facts: FormFacts & { application: string; companyNumber: string }): string {
  return page(
    "Company authentication code",
    html`<p>
        <strong>${facts.application}</strong> asks to act for company <strong>${facts.companyNumber}</strong>.
        Enter the company's authentication code to show that you may decide this.
      </p>
      ${faultBox(facts.fault)}
      <form method="post">
        ${hidden("word", facts.word)}${hidden("step", "code")}${hidden("company", facts.companyNumber)}
        <label for="code">Authentication code of ${facts.companyNumber}</label>
        <input
          id="code"
          name="code"
          type="text"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          required
        />
        <button type="submit">Continue</button>
      </form>
      ${refuseForm(facts.word)}`,
    facts.fault,
  );
}

/** The page where a person grants or refuses what an application requests. */
export function consentPage(
  facts: FormFacts & { application: string; email: string; scopes: readonly string[]; destination: string },
): string {
  return page(
    "Grant access",
    html`<p>You are signed in as <strong>${facts.email}</strong>.</p>
      <p id="asked"><strong>${facts.application}</strong> asks for your permission to:</p>
      <ul aria-labelledby="asked">
        ${facts.scopes.map((scope) => html`<li>${describeScope(scope)}</li>`)}
      </ul>
      <p>You will go to <strong>${facts.destination}</strong>. Grant access only if you know this address.</p>
      <form method="post">
        ${hidden("word", facts.word)}${hidden("step", "decision")}
        <button type="submit" name="decision" value="grant">Grant access</button>
        <button type="submit" name="decision" value="refuse" class="second">Refuse</button>
      </form>`,
  );
}

/** The error page, for requests without a valid address to send the browser back to. */
export function faultPage(title: string, sentence: string): string {
  return page(title, html`<p>${sentence}</p>`);
}

/** A scope in words for the person who decides. */
function describeScope(scope: string): string {
  const { name, companyNumber } = parseScope(scope) ?? { name: scope };
  const words = name in SCOPES ? SCOPES[name as keyof typeof SCOPES] : `Use the permission ${name}`;
  return companyNumber === undefined ? words : `${words}, for company ${companyNumber} only`;
}

function refuseForm(word: string): Html {
  return html`<form method="post">
    ${hidden("word", word)}${hidden("step", "decision")}
    <button type="submit" name="decision" value="refuse" class="second">Refuse</button>
  </form>`;
}

function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

function faultBox(fault: string | undefined): Html | undefined {
  return fault === undefined ? undefined : html`<p class="fault" role="alert">${fault}</p>`;
}

/** An error is in the title too, because a screen reader reads the title first. */
function page(title: string, body: Html, fault?: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${fault === undefined ? "" : "Error: "}${title} · Company Register</title>
        <link rel="stylesheet" href="pages.css" />
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html>`.text;
}

/** The style of all these pages. */
export const STYLE = `* { box-sizing: border-box; }
body { margin: 0; background: #f3f4f6; color: #1a1f2b; font: 18px/1.5 system-ui, sans-serif; }
main { max-width: 34rem; margin: 3rem auto; padding: 2rem; background: #fff; border: 1px solid #c9ced8; border-radius: 8px; }
h1 { margin: 0 0 1rem; font-size: 1.6rem; }
label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; }
input:not([type="hidden"]) { width: 100%; padding: 0.6rem; border: 2px solid #4a5264; border-radius: 4px; font: inherit; }
button { margin: 1.25rem 0.5rem 0 0; padding: 0.6rem 1.2rem; border: 2px solid #14417b; border-radius: 4px; background: #14417b; color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button.second { background: #fff; color: #14417b; }
input:focus-visible, button:focus-visible { outline: 3px solid #c25a00; outline-offset: 2px; }
.fault { padding: 0.75rem 1rem; border-left: 4px solid #a4161a; background: #fdecec; color: #7a0f12; font-weight: 600; }
strong { overflow-wrap: anywhere; }
@media (max-width: 36rem) { main { margin: 0; border: 0; border-radius: 0; } }
`;
