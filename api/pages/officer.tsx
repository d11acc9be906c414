/** Owns the page of an officer: all appointments, and disqualifications that may be theirs. */
import type { Appointments } from "./answers.ts";
import { FOLDER, pageOf } from "./addresses.ts";
import type { PageDefinition } from "./define-page.ts";
import { Link, Title } from "./layout.tsx";
import { AppointmentCard } from "./parts/appointments.tsx";
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
    const { name, total_results: total, active_count: active, date_of_birth: born, coverage } = list;
    const pager = { path: pageOf(`/officers/${officer_id}/appointments`) ?? "", query, size: SIZE, total };
    const counts = `${countOf(total, "appointment")}: ${active} current, ${list.resigned_count} resigned`;
    return {
      title: name,
      body: (
        <>
          <Title above={born ? `Officer, born ${showMonth(born)}` : "Officer"}>{name}</Title>
          <Disqualifications of={list} />
          <Paged id="appointments" title={counts} {...pager} coverage={coverage}>
            <Cards of={list.items} show={AppointmentCard} />
          </Paged>
        </>
      ),
    };
  },
};

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
