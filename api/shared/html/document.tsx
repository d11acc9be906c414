/** Owns the document around every page of HTML: its head, and the frame of pages of one subject. Texts are escaped. */
import type { Child, PropsWithChildren } from "hono/jsx";
import type { HtmlEscapedString } from "hono/utils/html";

/** Addresses of the files that a page loads, relative to the page. */
export interface PageAddresses {
  style: string;
  mark: string;
  script?: string;
}

/** A whole page. `title` may be empty: the name of the register alone. */
export function Document({
  title,
  files: { style, mark, script },
  children,
}: PropsWithChildren<{ title: string; files: PageAddresses }>) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title === "" ? "Company Register" : `${title} · Company Register`}</title>
        <link rel="stylesheet" href={style} />
        <link rel="icon" type="image/svg+xml" href={mark} />
        {script === undefined ? null : <script src={script} defer></script>}
      </head>
      <body>{children}</body>
    </html>
  );
}

/** The mark of the register and its name. */
export function Brand({ mark }: { mark: string }) {
  return (
    <>
      <img src={mark} alt="" width="26" height="26" />
      Company Register
    </>
  );
}

interface SmallPageProps {
  heading: string;
  /** Said before the heading in the title, because a screen reader reads the title first. */
  alert?: string;
  files: PageAddresses;
}

/** A page of one subject, such as a form, outside the pages of the register. */
export function SmallPage({ heading, alert, files, children }: PropsWithChildren<SmallPageProps>) {
  return (
    <Document title={alert === undefined ? heading : `${alert}: ${heading}`} files={files}>
      <header>
        <span class="brand">
          <Brand mark={files.mark} />
        </span>
      </header>
      <main class="narrow">
        <h1>{heading}</h1>
        {children}
      </main>
    </Document>
  );
}

/** A page as text. */
export function renderDocument(page: Child): string {
  // The cast: an asynchronous component would return a promise, and there is none.
  return `<!doctype html>${page as HtmlEscapedString}`;
}
