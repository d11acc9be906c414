/** Owns the page of a disqualified officer, a person or a body. */
import type { Disqualified } from "./answers/index.ts";
import { FOLDER, SEARCH, withQuery } from "./addresses.ts";
import type { PageDefinition } from "./define-page.ts";
import { Link, Title } from "./layout.tsx";
import { Address, Day, Facts } from "./parts/facts.tsx";
import { spellOut, wordsOf } from "./words.ts";

export const naturalPage = definePerson("natural", "natural-disqualification");
export const corporatePage = definePerson("corporate", "corporate-disqualification");

function definePerson(
  word: "natural" | "corporate",
  resource: "natural-disqualification" | "corporate-disqualification",
): PageDefinition {
  return {
    name: `page-disqualified-${word}`,
    path: `${FOLDER}/disqualified/${word}/:officer_id`,
    show: async ({ ask, params: { officer_id = "" }, today }) => {
      const person = await ask(resource, { officer_id });
      if (!person) return null;
      const name = nameOf(person);
      return { title: `${name}, disqualified`, body: <Page person={person} name={name} today={today} /> };
    },
  };
}

function nameOf({ name, title, forename, other_forenames, surname, honours }: Disqualified): string {
  return name ?? [title, forename, other_forenames, surname, honours].filter(Boolean).join(" ");
}

function Page({ person, name, today }: { person: Disqualified; name: string; today: string }) {
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
      <Facts
        of={[
          ["Born", born && <Day of={born} />],
          ["Nationality", person.nationality],
          ["Company number", person.company_number],
          ["Registered in", person.country_of_registration],
        ]}
      />
      <section aria-labelledby="disqualifications">
        <h2 id="disqualifications">Disqualifications</h2>
        <div class="cards">
          {disqualifications.map((one) => (
            <Disqualification of={one} />
          ))}
        </div>
      </section>
      <Permissions of={permissions} />
      <p class="as-of">
        <Link to={withQuery(SEARCH, { q: plainName, kind: "officer" })}>Officers of this name</Link>
      </p>
    </>
  );
}

function Disqualification({ of }: { of: Disqualified["disqualifications"][number] }) {
  const { reason, company_names: companies = [], undertaken_on, heard_on } = of;
  const law = wordsOf("disqualification_act", reason.act);
  const part = reason.section
    ? `, section ${reason.section}`
    : reason.article
      ? `, article ${reason.article}`
      : "";
  return (
    <article class="card">
      <h3>{wordsOf("disqualification_type", of.disqualification_type)}</h3>
      <Facts
        class="short"
        of={[
          ["From", <Day of={of.disqualified_from} />],
          ["Until", of.disqualified_until >= "9999" ? "no end" : <Day of={of.disqualified_until} />],
          ["Reason", spellOut(reason.description_identifier)],
          ["Law", `${law}${part}`],
          ["Companies", companies.join("; ")],
          ["Court", of.court_name],
          ["Case", of.case_identifier],
          ["Heard", heard_on && <Day of={heard_on} />],
          ["Undertaken", undertaken_on && <Day of={undertaken_on} />],
          ["Address", of.address && <Address of={of.address} isLine />],
        ]}
      />
    </article>
  );
}

function Permissions({ of }: { of: NonNullable<Disqualified["permissions_to_act"]> }) {
  if (of.length === 0) return null;
  return (
    <section aria-labelledby="permissions">
      <h2 id="permissions">Permissions to act</h2>
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
    </section>
  );
}
