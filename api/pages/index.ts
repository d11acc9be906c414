/** Table of contents: every page, one line each. */
import { advancedPage } from "./advanced.tsx";
import { alphabetPage } from "./alphabet.tsx";
import { filingsPage } from "./company/filings.tsx";
import { overviewPage } from "./company/overview.tsx";
import { controlPage, peoplePage } from "./company/people.tsx";
import { chargesPage, establishmentsPage, insolvencyPage } from "./company/records.tsx";
import { timelinePage } from "./company/timeline.tsx";
import type { PageDefinition } from "./define-page.ts";
import { corporatePage, naturalPage } from "./disqualified.tsx";
import { controllerPage, officerPage } from "./person.tsx";
import { searchPage } from "./search.tsx";
import { startPage } from "./start.tsx";

export const pages: readonly PageDefinition[] = [
  startPage,
  searchPage,
  advancedPage,
  alphabetPage,
  overviewPage,
  peoplePage,
  controlPage,
  filingsPage,
  chargesPage,
  insolvencyPage,
  establishmentsPage,
  timelinePage,
  officerPage,
  controllerPage,
  naturalPage,
  corporatePage,
];
