/** Owns the page of a person or body with significant control: all companies it controls. */
import { FOLDER, pageOf } from "./addresses.ts";
import type { PageDefinition } from "./define-page.ts";
import { Title } from "./layout.tsx";
import { ControlledCard } from "./parts/appointments.tsx";
import { Cards } from "./parts/facts.tsx";
import { Paged, rowsOf } from "./parts/pager.tsx";
import { countOf, showMonth } from "./words.ts";

const SIZE = 35;

export const controllerPage: PageDefinition = {
  name: "page-controller",
  path: `${FOLDER}/controller/:psc_id`,
  show: async ({ ask, params: { psc_id = "" }, query }) => {
    const list = await ask("psc-notification-list", { psc_id, ...rowsOf(query, SIZE) });
    if (!list) return null;
    const { name, date_of_birth: born, total_results: total, active_count: active, coverage } = list;
    const path = pageOf(`/persons-with-significant-control/${psc_id}/notifications`) ?? "";
    const counts = `${countOf(total, "company", "companies")}, ${active} at present`;
    return {
      title: name,
      body: (
        <>
          <Title above={`With significant control${born ? `, born ${showMonth(born)}` : ""}`}>{name}</Title>
          <Paged id="companies" title={counts} {...{ path, query, size: SIZE, total, coverage }}>
            <Cards of={list.items} show={ControlledCard} />
          </Paged>
        </>
      ),
    };
  },
};
