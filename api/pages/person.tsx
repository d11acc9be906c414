/** The pages of a person or corporate body: officer, person with significant control, disqualified officer. */
import type { Child } from "hono/jsx";
import type {
  Disqualification,
  DisqualifiedOfficer,
  PermissionToAct,
} from "../resources/disqualified-officer/members.ts";
import type { BirthDate } from "../resources/officer-appointment/members.ts";
import type { Appointments } from "./answers.ts";
import { FOLDER, pageOf, SEARCH, withQuery } from "./addresses.ts";
import type { PageDefinition, Shown } from "./define-page.ts";
import { Link, Title } from "./layout.tsx";
import { AppointmentCard, ControlCard } from "./parts/appointments.tsx";
import { Address, Cards, day, Day, facts, Period, shortFacts, Section, Until } from "./parts/facts.tsx";
import { Paged, rowsOf } from "./parts/pager.tsx";
import { countOf, showDate, showMonth, spellOut, wordsOf } from "./words.ts";

const SIZE = 35;

export const officerPage: PageDefinition = {
  name: "page-officer",
  path: `${FOLDER}/officer/:officer_id`,
  show: async ({ ask, params: { officer_id = "" }, query, today }) => {
    const list = await ask("officer-appointment-list", { officer_id, ...rowsOf(query, SIZE) });
    if (!list) return null;
    const { total_results: total, resigned_count: resigned, coverage } = list;
    const path = pageOf(`/officers/${officer_id}/appointments`) ?? "";
    const counts = `${countOf(total, "appointment")}: ${countCurrent(list)}, ${resigned} resigned`;
    return showPerson(
      list,
      "Officer",
      <>
        <Disqualifications of={list} today={today} />
        <Paged id="appointments" title={counts} {...{ path, query, size: SIZE, total, coverage }}>
          <Cards of={list.items} show={AppointmentCard} />
        </Paged>
      </>,
    );
  },
};

export const controllerPage: PageDefinition = {
  name: "page-controller",
  path: `${FOLDER}/controller/:psc_id`,
  show: async ({ ask, params: { psc_id = "" }, query }) => {
    const list = await ask("psc-notification-list", { psc_id, ...rowsOf(query, SIZE) });
    if (!list) return null;
    const { total_results: total, ceased_count: ceased, coverage } = list;
    const path = pageOf(`/persons-with-significant-control/${psc_id}/notifications`) ?? "";
    const counts = `${countOf(total, "notification")}: ${countCurrent(list)}, ${ceased} ceased`;
    return showPerson(
      list,
      "With significant control",
      <Paged id="companies" title={counts} {...{ path, query, size: SIZE, total, coverage }}>
        <Cards of={list.items} show={ControlCard} />
      </Paged>,
    );
  },
};

/** Writes `2 current, 1 in companies that have ended`; the second part only if there are any. */
function countCurrent(of: { active_count: number; inactive_count?: number }): string {
  const { active_count: active, inactive_count: inactive = 0 } = of;
  return `${active} current${inactive > 0 ? `, ${inactive} in companies that have ended` : ""}`;
}

/** Makes the page of a person or body. `what`: the words before the month of birth. */
function showPerson(
  { name, date_of_birth: born }: { name: string; date_of_birth?: BirthDate },
  what: string,
  content: Child,
): Shown {
  return {
    title: name,
    body: (
      <>
        <Title above={born ? `${what}, born ${showMonth(born)}` : what}>{name}</Title>
        {content}
      </>
    ),
  };
}

const MATCHED: Record<string, string> = {
  name: "name",
  date_of_birth: "month of birth",
  postcode: "postcode",
  locality: "town",
  person_number: "person number",
};

/** Disqualified people who may be this officer. It shows which facts agree, because the register cannot be certain. */
function Disqualifications({ of, today }: { of: Appointments; today: string }) {
  const { likely_disqualifications: likely = [] } = of;
  if (likely.length === 0) return null;
  return (
    <article class="warning">
      <h2>Perhaps disqualified</h2>
      <ul>
        {likely.map(({ link, name, disqualified_until: until, likelihood, matched }) => (
          <li>
            <Link to={pageOf(link) ?? ""}>{name}</Link> {until < today ? "was" : "is"} disqualified{" "}
            <Until of={until} />:{" "}
            {likelihood === "likely" ? "likely the same person" : "possibly the same person"}, by{" "}
            {matched.map((one) => MATCHED[one] ?? one).join(", ")}.
          </li>
        ))}
      </ul>
    </article>
  );
}

export const naturalPage = defineDisqualified("natural");
export const corporatePage = defineDisqualified("corporate");

function defineDisqualified(word: "natural" | "corporate"): PageDefinition {
  return {
    name: `page-disqualified-${word}`,
    path: `${FOLDER}/disqualified/${word}/:officer_id`,
    show: async ({ ask, params: { officer_id = "" }, today }) => {
      const person = await ask(`${word}-disqualification`, { officer_id });
      if (!person) return null;
      const name = nameOf(person);
      return {
        title: `${name}, disqualified`,
        body: <DisqualifiedPage person={person} name={name} today={today} />,
      };
    },
  };
}

function nameOf({ name, title, forename, other_forenames, surname, honours }: DisqualifiedOfficer): string {
  return name ?? [title, forename, other_forenames, surname, honours].filter(Boolean).join(" ");
}

function DisqualifiedPage({
  person,
  name,
  today,
}: {
  person: DisqualifiedOfficer;
  name: string;
  today: string;
}) {
  const { disqualifications, permissions_to_act: permissions = [], date_of_birth: born } = person;
  const plainName = [person.forename, person.surname].filter(Boolean).join(" ") || name;
  return (
    <>
      <Title above="Disqualified officer">{name}</Title>
      <p class="tags">
        <Standing of={disqualifications} today={today} />
      </p>
      {facts([
        ["Born", day(born)],
        ["Nationality", person.nationality],
        ["Company number", person.company_number],
        ["Registered in", person.country_of_registration],
      ])}
      <Section id="disqualifications" title="Disqualifications">
        <Cards of={disqualifications} show={DisqualificationCard} />
      </Section>
      <Permissions of={permissions} />
      <p class="as-of">
        <Link to={withQuery(SEARCH, { q: plainName, kind: "officer" })}>Officers with this name</Link>
      </p>
    </>
  );
}

/** Says whether the officer is disqualified today, or from a later day: an order may begin in the future. */
function Standing({ of, today }: { of: readonly Disqualification[]; today: string }) {
  const open = of.filter(({ disqualified_until: until }) => until >= today);
  const [first] = open.map(({ disqualified_from: from }) => from).sort();
  if (first === undefined) return <span class="status over">No longer disqualified</span>;
  const when = first <= today ? "today" : `from ${showDate(first)}`;
  return <span class="status trouble">Disqualified {when}</span>;
}

function DisqualificationCard({ of }: { of: Disqualification }) {
  const { act, section, article, description_identifier: reason } = of.reason;
  const part = section ? `, section ${section}` : article ? `, article ${article}` : "";
  return (
    <article class="card">
      <h3>{wordsOf("disqualification_type", of.disqualification_type)}</h3>
      {shortFacts([
        ["From", <Day of={of.disqualified_from} />],
        ["Until", of.disqualified_until >= "9999" ? "no end" : <Day of={of.disqualified_until} />],
        ["Reason", reason && spellOut(reason)],
        ["Law", wordsOf("disqualification_act", act) + part],
        ["Companies", of.company_names?.join("; ")],
        ["Court", of.court_name],
        ["Case", of.case_identifier],
        ["Heard", day(of.heard_on)],
        ["Undertaken", day(of.undertaken_on)],
        ["Varied", day(of.last_variation?.varied_on)],
        ["Varied by", of.last_variation?.court_name],
        ["Varied in case", of.last_variation?.case_identifier],
        ["Address", <Address of={of.address} isLine />],
      ])}
    </article>
  );
}

function Permissions({ of }: { of: readonly PermissionToAct[] }) {
  if (of.length === 0) return null;
  return (
    <Section id="permissions" title="Permissions to act">
      <ul class="plain">
        {of.map(({ company_names: names = [], court_name: court, granted_on: from, expires_on: until }) => (
          <li>
            {[names.join("; ") || "All companies", court].filter(Boolean).join(", by ")}
            <Period from={from} until={until} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
