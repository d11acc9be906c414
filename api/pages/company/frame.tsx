/** The common parts of all pages about a company: name and status at the top, and the tabs of its sections. */
import type { PropsWithChildren } from "hono/jsx";
import type { Company } from "../answers.ts";
import { companyAddress } from "../addresses.ts";
import type { PageDefinition, Shown, Visit } from "../define-page.ts";
import { Link, Title } from "../layout.tsx";
import { Status } from "../parts/facts.tsx";
import { wordsOf } from "../words.ts";

interface Section {
  /** The last part of its address; empty: the overview. */
  word: string;
  title: string;
  /** The tab is shown only if the profile has this link; absent: always. */
  link?: string;
}

const SECTIONS: readonly Section[] = [
  { word: "", title: "Overview" },
  { word: "people", title: "People" },
  { word: "control", title: "Control" },
  { word: "filings", title: "Filings" },
  { word: "charges", title: "Charges" },
  { word: "insolvency", title: "Insolvency" },
  { word: "establishments", title: "UK establishments", link: "uk-establishments" },
  { word: "timeline", title: "Timeline" },
];

/** Makes the content of a section, from the company and further answers. */
type Fill = (visit: Visit, company: Company) => Promise<Shown["body"]>;

/** Defines a section of the company's page; `word` is the last part of its address. */
export function defineSection(word: string, fill: Fill): PageDefinition {
  const title = SECTIONS.find((section) => section.word === word)?.title ?? "";
  return {
    name: word === "" ? "page-company" : `page-company-${word}`,
    path: companyAddress("").concat(":company_number", word && `/${word}`),
    show: async (visit) => {
      const company = await visit.ask("company-profile", {
        company_number: visit.params.company_number ?? "",
      });
      if (!company) return null;
      const body = await fill(visit, company);
      return {
        title: word === "" ? company.company_name : `${company.company_name}: ${title}`,
        body: (
          <Frame company={company} word={word}>
            {body}
          </Frame>
        ),
      };
    },
  };
}

function Frame({ company, word, children }: PropsWithChildren<{ company: Company; word: string }>) {
  const { company_name, company_number: number, company_status, company_status_detail: detail } = company;
  const shown = SECTIONS.filter(({ link, word: own }) => !link || own === word || company.links[link]);
  return (
    <>
      <Title
        above={
          <>
            Company <span class="number">{number}</span> · {wordsOf("company_type", company.type)}
          </>
        }
      >
        {company_name}
      </Title>
      <p class="tags">
        <Status code={company_status} detail={detail} />
      </p>
      <nav aria-label="Sections" class="tabs">
        <ul>
          {shown.map((section) => (
            <li>
              <Link to={companyAddress(number, section.word)} current={section.word === word}>
                {section.title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </>
  );
}
