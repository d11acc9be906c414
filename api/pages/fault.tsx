/** Error pages: what went wrong, and what the visitor can do. */
import type { ErrorDetail } from "../shared/runtime/errors.ts";
import { ALPHABET, KEY, START } from "./addresses.ts";
import type { Shown } from "./define-page.ts";
import { Link, Title, useAddress } from "./layout.tsx";
import { spellOut } from "./words.ts";

interface Fault {
  status: number;
  body: unknown;
  retryAfter: string | undefined;
  /** The address of the first page of the list. */
  first: string;
  form?: KeyForm | undefined;
}

export interface KeyForm {
  to: string;
  isWrong: boolean;
}

const NOT_UNDERSTOOD = {
  title: "The register does not understand this request",
  sentence: "Go back, correct what you entered and send it again.",
};
const NOT_FOUND = {
  title: "This page does not exist",
  sentence: "The register has nothing at this address. Check the number, or search by name.",
};

/** Texts by status; every other status is an internal error. */
const WORDS: Record<number, typeof NOT_FOUND> = {
  400: NOT_UNDERSTOOD,
  401: {
    title: "A key is needed",
    sentence:
      "These pages are for people with a key of the register. The operator of the register issues keys.",
  },
  403: {
    title: "Your key does not open this page",
    sentence:
      "It does not have this permission, or it may not be used from your address. Ask the operator of the register " +
      "which keys open this page.",
  },
  404: NOT_FOUND,
  405: NOT_FOUND,
  410: NOT_FOUND,
  416: {
    title: "That is too far down the list",
    sentence: "The register shows no results so far down.",
  },
  422: NOT_UNDERSTOOD,
  429: {
    title: "Too many pages in a short time",
    sentence:
      "More pages have been loaded in five minutes than the register allows with one key, or from one address without a key.",
  },
  503: {
    title: "The register cannot answer just now",
    sentence: "It is busy or under maintenance. Load the page again in a moment.",
  },
};

/** The code of the error for a form that another site may have sent. */
export const FOREIGN_FORM = "foreign-form";

const FOREIGN = {
  title: "This form came from another address",
  sentence:
    "Open the register again and enter your key there. If that does not help, the register does not know its own " +
    "address: ask its operator to set PUBLIC_URL to the one that you see in your browser.",
};

const OURS = {
  title: "Something went wrong on our side",
  sentence:
    "The error has been logged. Load the page again; if the error stays, contact the operator of the register.",
};

/** Makes the page for an error. */
export function faultPage({ status, body, retryAfter, form, first }: Fault): Shown {
  // The cast: an error's body is either the API's own or empty.
  const { errors = [], exception_id: id } = (body ?? {}) as { errors?: ErrorDetail[]; exception_id?: string };
  const isForeign = errors.some(({ error }) => error === FOREIGN_FORM);
  const { title, sentence } = isForeign ? FOREIGN : (WORDS[status] ?? OURS);
  const isTooFar = status === 416;
  // Only faults of parameters; the status describes others. At 416 the parameter is an offset, which no visitor enters.
  const details = errors.filter(({ location }) => location !== undefined && !isTooFar);
  return {
    title,
    hasOwnSearch: form !== undefined,
    body: (
      <article class="fault">
        <Title above={form ? null : `Error ${status}`}>{title}</Title>
        <p>{sentence}</p>
        {isTooFar ? (
          <p>
            <Link to={first}>Go back to the first page</Link>, or narrow your search.
          </p>
        ) : null}
        {retryAfter ? <p>Come back in {describeSeconds(Number(retryAfter))}.</p> : null}
        <Details of={details} />
        {id ? (
          <p>
            <small>Request id, for the operator: {id}</small>
          </p>
        ) : null}
        {form ? (
          <EnterKey form={form} />
        ) : (
          <p>
            <Link to={START}>Search the register</Link> or <Link to={ALPHABET}>browse it from A to Z</Link>.
          </p>
        )}
      </article>
    ),
  };
}

function Details({ of }: { of: ErrorDetail[] }) {
  if (of.length === 0) return null;
  return (
    <ul>
      {of.map((detail) => (
        <li>{describeDetail(detail)}</li>
      ))}
    </ul>
  );
}

function EnterKey({ form: { to, isWrong } }: { form: KeyForm }) {
  return (
    <form action={useAddress(KEY)} method="post" class="key">
      {isWrong ? (
        <p class="alert" role="alert">
          The register does not know this key, or it has expired.
        </p>
      ) : null}
      <input type="hidden" name="to" value={to} />
      <label for="key">Your key</label>
      <input
        id="key"
        name="key"
        type="password"
        autocomplete="current-password"
        aria-describedby="kept"
        required
        maxLength={256}
      />
      <small id="kept">The browser keeps it until you close the browser, or press “Forget my key”.</small>
      <button type="submit">Open the register</button>
    </form>
  );
}

function describeDetail({ location = "", error, error_values: values }: ErrorDetail): string {
  const value = values?.[location];
  const name = location === "q" ? "The search" : spellOut(location);
  if (values?.max_length) return `${name} has more than ${values.max_length} characters. Leave words out.`;
  const fault = error === "missing-parameter" ? "is missing" : "is not right";
  const form = /_(from|to)$/.test(location) ? " A day is written as 2026-11-23." : "";
  return value === undefined ? `${name} ${fault}.` : `${name} ${fault}: “${value}”.${form}`;
}

function describeSeconds(seconds: number): string {
  if (!(seconds >= 90)) return seconds === 1 ? "a second" : `${Math.max(2, seconds || 0)} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
