/** Owns the page of an officer: all appointments, and disqualifications that may be theirs. */
import type { Appointments } from "./answers/index.ts";
import { FOLDER, pageOf } from "./addresses.ts";
import type { PageDefinition } from "./define-page.ts";
import { Link, Title } from "./layout.tsx";
import { AppointmentCard } from "./parts/appointments.tsx";
import { AsOf, Day } from "./parts/facts.tsx";
import { Pager, startOf } from "./parts/pager.tsx";
import { countOf, showMonth } from "./words.ts";

const SIZE = 35;

export const officerPage: PageDefinition = {
  name: "page-officer",
  path: `${FOLDER}/officer/:officer_id`,
  show: async ({ ask, params: { officer_id = "" }, query }) => {
    const page = { items_per_page: String(SIZE), start_index: startOf(query, SIZE) };
    const list = await ask("officer-appointment-list", { officer_id, ...page });
    if (!list) return null;
    const { name, total_results: total, date_of_birth: born } = list;
    return {
      title: name,
      body: (
        <>
          <Title above={born ? `Officer, born ${showMonth(born)}` : "Officer"}>{name}</Title>
          <Disqualifications of={list} />
          <section aria-labelledby="appointments">
            <h2 id="appointments">{describeCounts(list)}</h2>
            <div class="cards">
              {list.items.map((appointment) => (
                <AppointmentCard of={appointment} />
              ))}
            </div>
            <Pager
              path={pageOf(`/officers/${officer_id}/appointments`) ?? ""}
              query={query}
              size={SIZE}
              total={total}
              reach={total}
            />
            <AsOf coverage={list.coverage} />
          </section>
        </>
      ),
    };
  },
};

function describeCounts({
  total_results: total,
  active_count: active,
  resigned_count: resigned,
}: Appointments) {
  return `${countOf(total, "appointment")}: ${active} current, ${resigned} resigned`;
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
