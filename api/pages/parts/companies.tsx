/** Tables of companies, as the advanced search and the list from A to Z show them. */
import type { ListedCompany } from "../answers.ts";
import { companyAddress } from "../addresses.ts";
import { Link } from "../layout.tsx";
import { wordsOf } from "../words.ts";
import { Address, Day, Status } from "./facts.tsx";

/** A table with a row for each company; `isShort`: only name, number and status. */
export function Companies({ of, isShort = false }: { of: readonly ListedCompany[]; isShort?: boolean }) {
  return (
    <div class="scroll" role="region" aria-label="Companies">
      <table>
        <thead>
          <tr>
            <th scope="col">Company</th>
            <th scope="col">Number</th>
            <th scope="col">Status</th>
            {isShort ? null : (
              <>
                <th scope="col">Incorporated</th>
                <th scope="col">Dissolved</th>
                <th scope="col">Registered office</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {of.map((company) => (
            <CompanyRow company={company} isShort={isShort} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CompanyRow({ company, isShort }: { company: ListedCompany; isShort: boolean }) {
  const { company_name, company_number: number, company_status, company_type: type } = company;
  return (
    <tr>
      <th scope="row">
        <Link to={companyAddress(number)}>{company_name}</Link>
        {isShort || !type ? null : <small>{wordsOf("company_type", type)}</small>}
      </th>
      <td class="number" data-label="Number">
        {number}
      </td>
      <td>
        <Status code={company_status} />
      </td>
      {isShort ? null : (
        <>
          <td class="day" data-label="Incorporated">
            <Day of={company.date_of_creation} />
          </td>
          <td class="day" data-label={company.date_of_cessation && "Dissolved"}>
            <Day of={company.date_of_cessation} />
          </td>
          <td data-label="Office">
            <Address of={company.registered_office_address} isLine />
          </td>
        </>
      )}
    </tr>
  );
}
