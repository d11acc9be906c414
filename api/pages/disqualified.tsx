/** Owns the page of a disqualified officer, a person or a body. */
import type {
  Disqualification,
  DisqualifiedOfficer,
  PermissionToAct,
} from "../resources/disqualified-officer/members.ts";
import { FOLDER, SEARCH, withQuery } from "./addresses.ts";
import type { PageDefinition } from "./define-page.ts";
import { Link, Title } from "./layout.tsx";
import { Address, Cards, day, Day, facts, shortFacts, Section } from "./parts/facts.tsx";
import { spellOut, wordsOf } from "./words.ts";

export const naturalPage = definePerson("natural");
export const corporatePage = definePerson("corporate");

function definePerson(word: "natural" | "corporate"): PageDefinition {
  return {
    name: `page-disqualified-${word}`,
    path: `${FOLDER}/disqualified/${word}/:officer_id`,
    show: async ({ ask, params: { officer_id = "" }, today }) => {
      const person = await ask(`${word}-disqualification`, { officer_id });
      if (!person) return null;
      const name = nameOf(person);
      return { title: `${name}, disqualified`, body: <Page person={person} name={name} today={today} /> };
    },
  };
}

function nameOf({ name, title, forename, other_forenames, surname, honours }: DisqualifiedOfficer): string {
  return name ?? [title, forename, other_forenames, surname, honours].filter(Boolean).join(" ");
}

function Page({ person, name, today }: { person: DisqualifiedOfficer; name: string; today: string }) {
  const { disqualifications, permissions_to_act: permissions = [], date_of_birth: born } = person;
  const plainName = [person.forename, person.surname].filter(Boolean).join(" ") || name;
  return (
    <>
      <Title above="Disqualified officer">{name}</Title>
      <p class="tags">
        {disqualifications.some(({ disqualified_until: until }) => until >= today) ? (
          <span class="status trouble">Disqualified today</span>
        ) : (
          <span class="status over">No longer disqualified</span>
        )}
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
        <Link to={withQuery(SEARCH, { q: plainName, kind: "officer" })}>Officers of this name</Link>
      </p>
    </>
  );
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
        ["Reason", spellOut(reason)],
        ["Law", wordsOf("disqualification_act", act) + part],
        ["Companies", of.company_names?.join("; ")],
        ["Court", of.court_name],
        ["Case", of.case_identifier],
        ["Heard", day(of.heard_on)],
        ["Undertaken", day(of.undertaken_on)],
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
        {of.map(({ company_names: names = [], granted_on: from, expires_on: until }) => (
          <li>
            {names.join("; ") || "All companies"}
            <br />
            <small>
              <Day of={from} /> to <Day of={until} />
            </small>
          </li>
        ))}
      </ul>
    </Section>
  );
}
