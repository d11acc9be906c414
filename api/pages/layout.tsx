/** The frame of every page: head, search box, navigation, footer. */
import { createContext, useContext, type Child, type PropsWithChildren } from "hono/jsx";
import { Brand, Document, renderDocument, type PageAddresses } from "../shared/html/document.tsx";
import { ADVANCED, ALPHABET, KEY, SEARCH, START, SUGGEST, withQuery } from "./addresses.ts";
import type { Shown } from "./define-page.ts";
import { ALL, type Kind } from "./kinds.ts";

/** The relative path from the page to the root: a context, so that components need no parameter for it. */
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

export type Assets = Required<PageAddresses>;

/** Renders a whole page. `root`: the relative path from the page to the root. */
export function renderPage(shown: Shown, assets: Assets, root: string): string {
  return renderDocument(
    <Root.Provider value={root}>
      <Page shown={shown} assets={assets} />
    </Root.Provider>,
  );
}

function Page({ shown, assets }: { shown: Shown; assets: Assets }) {
  const { title, body, sought, kind, hasOwnSearch = false, hasKey = false } = shown;
  const files = {
    style: useAddress(assets.style),
    mark: useAddress(assets.mark),
    script: useAddress(assets.script),
  };
  return (
    <Document title={title} files={files}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <Bar mark={files.mark} />
        {hasOwnSearch ? null : <SearchBox sought={sought} kind={kind} />}
      </header>
      <main id="content">{body}</main>
      <footer>
        <p>
          Names, people and filings as the register publishes them. The same data for programs:{" "}
          <Link to="/docs">API documentation</Link>.
        </p>
        {hasKey ? <Leave /> : null}
      </footer>
    </Document>
  );
}

/** A button that sends the form without a key, so that the browser forgets the key. */
function Leave() {
  return (
    <form action={useAddress(KEY)} method="post">
      <button type="submit" class="second">
        Forget my key
      </button>
    </form>
  );
}

function Bar({ mark }: { mark: string }) {
  return (
    <nav aria-label="Main">
      <Link to={START} class="brand">
        <Brand mark={mark} />
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
  sought?: string | undefined;
  isLarge?: boolean;
  kind?: Kind | undefined;
}

/** The search box. Without JavaScript it is a plain form; with it, a combobox that suggests names during typing. */
export function SearchBox({ sought = "", isLarge = false, kind = ALL }: SearchBoxProps) {
  return (
    <search class={isLarge ? "large" : ""}>
      <form action={useAddress(SEARCH)} method="get">
        <label for="q" class={isLarge ? "" : "unseen"}>
          {kind.label}
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
            placeholder={isLarge ? undefined : kind === ALL ? "Search the register" : kind.label}
            data-suggest={useAddress(withQuery(SUGGEST, { kind: kind.word }))}
            data-root={useAddress(START)}
          />
          <button type="submit">Search</button>
        </div>
        {kind === ALL ? null : <input type="hidden" name="kind" value={kind.word} />}
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
