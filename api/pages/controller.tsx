/** Owns the page of a person or body with significant control: all companies it controls. */
import { FOLDER, pageOf } from "./addresses.ts";
import type { PageDefinition } from "./define-page.ts";
import { Title } from "./layout.tsx";
import { ControllerCard } from "./parts/appointments.tsx";
import { AsOf } from "./parts/facts.tsx";
import { Pager, startOf } from "./parts/pager.tsx";
import { countOf, showMonth } from "./words.ts";

const SIZE = 35;

export const controllerPage: PageDefinition = {
  name: "page-controller",
  path: `${FOLDER}/controller/:psc_id`,
  show: async ({ ask, params: { psc_id = "" }, query }) => {
    const page = { items_per_page: String(SIZE), start_index: startOf(query, SIZE) };
    const list = await ask("psc-notification-list", { psc_id, ...page });
    if (!list) return null;
    const { name, date_of_birth: born, total_results: total, active_count: active } = list;
    const path = pageOf(`/persons-with-significant-control/${psc_id}/notifications`) ?? "";
    return {
      title: name,
      body: (
        <>
          <Title
            above={born ? `With significant control, born ${showMonth(born)}` : "With significant control"}
          >
            {name}
          </Title>
          <section aria-labelledby="companies">
            <h2 id="companies">
              {countOf(total, "company", "companies")}, {active} at present
            </h2>
            <div class="cards">
              {list.items.map((one) => (
                <ControllerCard of={one} isOfCompany={false} />
              ))}
            </div>
            <Pager path={path} query={query} size={SIZE} total={total} reach={total} />
            <AsOf coverage={list.coverage} />
          </section>
        </>
      ),
    };
  },
};
