/** Cards for people: officers of a company, appointments of an officer, and persons with control. */
import type { Child } from "hono/jsx";
import type { Appointment, Controller, Standing } from "../answers.ts";
import { companyAddress, pageOf } from "../addresses.ts";
import { Link } from "../layout.tsx";
import { showMonth, spellOut, wordsOf } from "../words.ts";
import { Address, day, shortFacts, Status } from "./facts.tsx";

/** The card of an officer; on the page of an officer, that of an appointment, headed by its company. */
export function AppointmentCard({ of }: { of: Appointment }) {
  const { name, links, officer_role, appointed_to: company } = of;
  const { identification, former_names: names = [] } = of;
  const role = wordsOf("officer_role", officer_role);
  const to = pageOf(links.officer?.appointments);
  const about = company ? aboutCompany(company, role) : { name, to, tags: role };
  return (
    <Card {...about} isOver={of.resigned_on !== undefined}>
      {shortFacts([
        ["Appointed", day(of.appointed_on)],
        ["Appointed before", day(of.appointed_before)],
        ["Resigned", day(of.resigned_on)],
        ["Born", showMonth(of.date_of_birth)],
        ["Nationality", of.nationality],
        ["Occupation", of.occupation],
        ["Lives in", of.country_of_residence],
        [
          "Formerly",
          names.map(({ forenames, surname }) => [forenames, surname].filter(Boolean).join(" ")).join("; "),
        ],
        ["Registered as", identification?.registration_number],
        ["Address", of.address && <Address of={of.address} isLine />],
      ])}
    </Card>
  );
}

/** The card of a person or body with control; on the page of such a person, headed by the company. */
export function ControlCard({ of }: { of: Controller }) {
  const { natures_of_control: natures = [], identification, notified_to: company } = of;
  const registered = [identification?.place_registered, identification?.country_registered].filter(Boolean);
  return (
    <Card
      {...(company ? aboutCompany(company) : aboutController(of))}
      isOver={of.ceased === true || of.ceased_on !== undefined}
    >
      {shortFacts([
        [
          "How",
          natures.length > 0 && (
            <ul>
              {natures.map((nature) => (
                <li>{wordsOf("psc_natures_of_control", nature)}</li>
              ))}
            </ul>
          ),
        ],
        ["Since", day(of.notified_on)],
        ["Until", day(of.ceased_on)],
        ["Sanctioned", of.is_sanctioned && "Yes"],
        ["Born", showMonth(of.date_of_birth)],
        ["Nationality", of.nationality],
        ["Lives in", of.country_of_residence],
        ["Legal form", identification?.legal_form],
        ["Registered", registered.join(", ")],
        ["Registered as", identification?.registration_number],
        ["Address", of.address && <Address of={of.address} isLine />],
      ])}
    </Card>
  );
}

function aboutController({ name, description, kind, links }: Controller) {
  return {
    name: name ?? wordsOf("psc_super_secure_description", description ?? kind),
    to: pageOf(links.persons_with_significant_control?.notifications),
    tags: spellOut(kind.replace(/(-person)?-with-significant-control$/, "")),
  };
}

/** The heading of a card about a company: its name, else its number; and below it the role, number and status. */
function aboutCompany({ company_name: name, company_number: number, company_status }: Standing, role = "") {
  const tags = (
    <>
      {role}
      {role && name ? " · " : null}
      {name ? <span class="number">{number} </span> : null}
      <Status code={company_status} />
    </>
  );
  return { name: name ?? number, to: companyAddress(number), tags };
}

interface CardProps {
  name: string;
  to: string | undefined;
  isOver: boolean;
  tags: Child;
  children?: Child;
}

function Card({ name, to, isOver, tags, children }: CardProps) {
  return (
    <article class={isOver ? "card over" : "card"}>
      <h3>{to ? <Link to={to}>{name}</Link> : name}</h3>
      <p class="tags">
        <span>{tags}</span>
        {isOver ? <span class="status over">Former</span> : null}
      </p>
      {children}
    </article>
  );
}
