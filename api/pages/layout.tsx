/** Owns the frame of every page: head, search box, navigation, footer. */
import { createContext, useContext, type Child, type PropsWithChildren } from "hono/jsx";
import type { HtmlEscapedString } from "hono/utils/html";
import { ADVANCED, ALPHABET, SEARCH, START } from "./addresses.ts";
import type { Shown } from "./define-page.ts";

/** The relative path from the page to the root. Set once for each page, so that components need no parameter for it. */
const Root = createContext("./");

/** The address of a page or file, relative to this page. */
export function useAddress(path: string): string {
  return useContext(Root) + path.slice(1);
}

/** A link to another page. */
export function Link(
  props: PropsWithChildren<{ to: string; class?: string; rel?: string; current?: boolean }>,
) {
  const { to, rel, current = false, children } = props;
  return (
    <a href={useAddress(to)} class={props.class} rel={rel} aria-current={current ? "page" : undefined}>
      {children}
    </a>
  );
}

/** Addresses of the files that pages load. */
export interface Assets {
  style: string;
  script: string;
  mark: string;
}

/** A whole page as a document. `root`: the relative path from it to the root. */
export function renderPage(shown: Shown, assets: Assets, root: string): string {
  // The cast: an asynchronous component would return a promise, and there is none.
  const document = (
    <Root.Provider value={root}>
      <Document shown={shown} assets={assets} />
    </Root.Provider>
  ) as HtmlEscapedString;
  return `<!doctype html>${document}`;
}

function Document({ shown, assets }: { shown: Shown; assets: Assets }) {
  const { title, body, sought = "", hasOwnSearch = false } = shown;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === "" ? "Company Register" : `${title} · Company Register`}</title>
        <link rel="stylesheet" href={useAddress(assets.style)} />
        <link rel="icon" type="image/svg+xml" href={useAddress(assets.mark)} />
        <script src={useAddress(assets.script)} defer></script>
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header>
          <Bar assets={assets} />
          {hasOwnSearch ? null : <SearchBox sought={sought} />}
        </header>
        <main id="content">{body}</main>
        <footer>
          <p>
            Names, people and filings as the register publishes them. The same data for programs:{" "}
            <Link to="/docs">API documentation</Link>.
          </p>
        </footer>
      </body>
    </html>
  );
}

function Bar({ assets }: { assets: Assets }) {
  return (
    <nav aria-label="Main">
      <Link to={START} class="brand">
        <img src={useAddress(assets.mark)} alt="" width="26" height="26" />
        Company Register
      </Link>
      <ul>
        <li>
          <Link to={ALPHABET}>A to Z</Link>
        </li>
        <li>
          <Link to={ADVANCED}>Advanced</Link>
        </li>
        <li class="wide">
          <Link to="/docs">API</Link>
        </li>
      </ul>
    </nav>
  );
}

interface SearchBoxProps {
  /** Its text. */
  sought?: string;
  /** The large form, as on the start page. */
  isLarge?: boolean;
  /** The kind of results that it searches; default: all. */
  kind?: string;
}

/** The search box. Without the script it is a plain form; with it, a combobox that suggests companies while a person types. */
export function SearchBox({ sought = "", isLarge = false, kind = "" }: SearchBoxProps) {
  return (
    <search class={isLarge ? "large" : ""}>
      <form action={useAddress(SEARCH)} method="get">
        <label for="q" class={isLarge ? "" : "unseen"}>
          Company, number, person or postcode
        </label>
        <div class="box">
          <input
            id="q"
            name="q"
            type="search"
            value={sought}
            required
            maxLength={160}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder={isLarge ? undefined : "Search the register"}
            data-suggest={useAddress("/pages/suggest")}
            data-company={useAddress("/pages/company/")}
          />
          <button type="submit">Search</button>
        </div>
        {kind ? <input type="hidden" name="kind" value={kind} /> : null}
      </form>
    </search>
  );
}

/** The heading of a page, with a short line above it. */
export function Title({ children, above }: PropsWithChildren<{ above?: Child }>) {
  return (
    <div class="title">
      {above ? <p class="above">{above}</p> : null}
      <h1>{children}</h1>
    </div>
  );
}
