/** The HTML document around every page: its head, and the frame of small pages such as forms. Texts are escaped. */
import type { Child, PropsWithChildren } from "hono/jsx";
import type { HtmlEscapedString } from "hono/utils/html";

/** Addresses of the files that a page loads, relative to the page. */
export interface PageAddresses {
  style: string;
  mark: string;
  script?: string;
}

/** A whole page. If `title` is empty, the browser shows only the name of the register. */
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

/** The logo and the name of the register. */
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
  /** Stands before the heading in the title, because screen readers read the title first. */
  alert?: string;
  files: PageAddresses;
}

/** A small page with one heading, such as a sign-in form, outside the pages of the register. */
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

/** Renders a page as text. */
export function renderDocument(page: Child): string {
  // The cast: only asynchronous components would make it a promise, and no component is asynchronous.
  return `<!doctype html>${page as HtmlEscapedString}`;
}
