/** Owns the pages of a person: an officer with all appointments, and whoever has significant control with all companies. */
import type { Child } from "hono/jsx";
import type { BirthDate } from "../resources/officer-appointment/members.ts";
import type { Appointments } from "./answers.ts";
import { FOLDER, pageOf } from "./addresses.ts";
import type { PageDefinition, Shown } from "./define-page.ts";
import { Link, Title } from "./layout.tsx";
import { AppointmentCard, ControlledCard } from "./parts/appointments.tsx";
import { Cards, Day } from "./parts/facts.tsx";
import { Paged, rowsOf } from "./parts/pager.tsx";
import { countOf, showMonth } from "./words.ts";

const SIZE = 35;

export const officerPage: PageDefinition = {
  name: "page-officer",
  path: `${FOLDER}/officer/:officer_id`,
  show: async ({ ask, params: { officer_id = "" }, query }) => {
    const list = await ask("officer-appointment-list", { officer_id, ...rowsOf(query, SIZE) });
    if (!list) return null;
    const { total_results: total, active_count: active, resigned_count: resigned, coverage } = list;
    const path = pageOf(`/officers/${officer_id}/appointments`) ?? "";
    const counts = `${countOf(total, "appointment")}: ${active} current, ${resigned} resigned`;
    return showPerson(
      list,
      "Officer",
      <>
        <Disqualifications of={list} />
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
    const { total_results: total, active_count: active, coverage } = list;
    const path = pageOf(`/persons-with-significant-control/${psc_id}/notifications`) ?? "";
    const counts = `${countOf(total, "company", "companies")}, ${active} at present`;
    return showPerson(
      list,
      "With significant control",
      <Paged id="companies" title={counts} {...{ path, query, size: SIZE, total, coverage }}>
        <Cards of={list.items} show={ControlledCard} />
      </Paged>,
    );
  },
};

/** The page of a person or body; `what`: the words before the month of birth. */
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

/** People with the same name and month of birth, with the facts that agree, because nobody can be certain. */
function Disqualifications({ of: { likely_disqualifications: likely = [] } }: { of: Appointments }) {
  if (likely.length === 0) return null;
  return (
    <article class="warning">
      <h2>Perhaps disqualified</h2>
      <ul>
        {likely.map(({ link, name, disqualified_until: until, likelihood, matched }) => (
          <li>
            <Link to={pageOf(link) ?? ""}>{name}</Link> is disqualified until <Day of={until} />:{" "}
            {likelihood === "likely" ? "likely the same person" : "possibly the same person"}, by{" "}
            {matched.map((one) => MATCHED[one] ?? one).join(", ")}.
          </li>
        ))}
      </ul>
    </article>
  );
}
