/** Owns people as cards: officers of a company, appointments of an officer, and those who control. */
import type { Child } from "hono/jsx";
import type { Appointment, Controller, Standing } from "../answers.ts";
import { companyAddress, pageOf } from "../addresses.ts";
import { Link } from "../layout.tsx";
import { showMonth, spellOut, wordsOf } from "../words.ts";
import { Address, day, shortFacts, Status } from "./facts.tsx";

/** An officer of a company. */
export function OfficerCard({ of: officer }: { of: Appointment }) {
  return (
    <Card
      name={officer.name}
      to={pageOf(officer.links.officer?.appointments)}
      isOver={officer.resigned_on !== undefined}
      tags={wordsOf("officer_role", officer.officer_role)}
    >
      <AppointmentFacts of={officer} />
    </Card>
  );
}

/** An appointment of an officer, to a company. */
export function AppointmentCard({ of: appointment }: { of: Appointment }) {
  const { appointed_to: to, officer_role: role } = appointment;
  const tags = <CompanyTags of={to} word={wordsOf("officer_role", role)} />;
  return (
    <Card {...companyOf(to)} isOver={appointment.resigned_on !== undefined} tags={tags}>
      <AppointmentFacts of={appointment} />
    </Card>
  );
}

/** A person or body that controls a company. */
export function ControllerCard({ of }: { of: Controller }) {
  return (
    <Card
      name={of.name ?? wordsOf("psc_super_secure_description", of.description ?? of.kind)}
      to={pageOf(of.links.persons_with_significant_control?.notifications)}
      isOver={hasCeased(of)}
      tags={spellOut(of.kind.replace(/(-person)?-with-significant-control$/, ""))}
    >
      <ControlFacts of={of} />
    </Card>
  );
}

/** The company of a card on the page of a person or body that controls it. */
export function ControlledCard({ of }: { of: Controller }) {
  return (
    <Card {...companyOf(of.notified_to)} isOver={hasCeased(of)} tags={<CompanyTags of={of.notified_to} />}>
      <ControlFacts of={of} />
    </Card>
  );
}

function hasCeased({ ceased, ceased_on }: Controller): boolean {
  return ceased === true || ceased_on !== undefined;
}

function companyOf(company: Standing | undefined) {
  const { company_number: number, company_name: name = number ?? "" } = company ?? {};
  return { name, to: number === undefined ? undefined : companyAddress(number) };
}

/** The role, the company's number unless the card is named by it, and its status. */
function CompanyTags({ of, word }: { of: Standing | undefined; word?: string }) {
  const number = of?.company_name === undefined ? undefined : of.company_number;
  return (
    <>
      {word}
      {word && number ? " · " : null}
      {number ? <span class="number">{number} </span> : null}
      <Status code={of?.company_status} />
    </>
  );
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

function AppointmentFacts({ of }: { of: Appointment }) {
  const { identification, former_names: names = [] } = of;
  return shortFacts([
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
  ]);
}

function ControlFacts({ of }: { of: Controller }) {
  const { natures_of_control: natures = [], identification } = of;
  const registered = [identification?.place_registered, identification?.country_registered].filter(Boolean);
  return shortFacts([
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
    ["Born", showMonth(of.date_of_birth)],
    ["Nationality", of.nationality],
    ["Lives in", of.country_of_residence],
    ["Legal form", identification?.legal_form],
    ["Registered", registered.join(", ")],
    ["Registered as", identification?.registration_number],
    ["Address", of.address && <Address of={of.address} isLine />],
  ]);
}
