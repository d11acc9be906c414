/** The sample of a register from which queries are drawn. */
import type { Address } from "../../../api/shared/values/address.ts";
import type { CompanyProfile } from "../../../api/resources/company-profile/members.ts";
import type { Appointment } from "../../../api/resources/officer-appointment/record.ts";
import type { IndexName } from "../../../api/shared/definitions/define-index.ts";
import { Reservoir } from "./reservoir.ts";
import { createRandom } from "../random.ts";

// Many more than there are queries of one kind, so that few are drawn twice.
const SIZE = 2_000;

export interface SampledCompany {
  number: string;
  name: string;
  status: string | undefined;
  created: string | undefined;
  sic: string | undefined;
  locality: string | undefined;
  address?: Address | undefined;
}

interface SampledPerson {
  forename: string;
  surname: string;
}

/** A person of one of the indices. */
export interface IndexedPerson extends SampledPerson {
  /** Id of the document. */
  id: string;
  otherForenames?: string | undefined;
  /** `YYYY-MM`, or `YYYY-MM-DD` if the register shows the day. */
  birth?: string | undefined;
  address?: Address | undefined;
}

/** Companies and people of a register. */
export interface RegisterSample {
  companies: SampledCompany[];
  dissolved: SampledCompany[];
  /** Drawn from appointments: people with many of them are drawn more often. */
  persons: SampledPerson[];
  /** Drawn from the documents of each index of people. */
  people: Partial<Record<IndexName, IndexedPerson[]>>;
}

/** Draws the sample while a register is filled; the same register and seed give the same sample. */
export class Sampler {
  private readonly companies: Reservoir<SampledCompany>;
  private readonly dissolved: Reservoir<SampledCompany>;
  private readonly persons: Reservoir<SampledPerson>;
  private readonly people = new Map<IndexName, Reservoir<IndexedPerson>>();

  constructor(private readonly seed: number) {
    const random = createRandom(seed);
    this.companies = new Reservoir(SIZE, random);
    this.dissolved = new Reservoir(SIZE, random);
    this.persons = new Reservoir(SIZE, random);
  }

  offerCompany(company: CompanyProfile): void {
    const { company_number: number, company_name: name, company_status: status } = company;
    const { date_of_creation: created } = company;
    const [sic] = company.sic_codes ?? [];
    const address = company.registered_office_address;
    const kind = status === "dissolved" ? this.dissolved : this.companies;
    kind.offer({ number, name, status, created, sic, locality: address?.locality, address });
  }

  offerOfficer({ name_elements }: Appointment): void {
    const { forename, surname } = name_elements ?? {};
    if (forename && surname) this.persons.offer({ forename, surname });
  }

  offerPerson(index: IndexName, person: IndexedPerson): void {
    // Each index has its own random generator, so that another index does not change what is drawn from this one.
    const people = this.people.get(index) ?? new Reservoir<IndexedPerson>(SIZE, createRandom(this.seed));
    this.people.set(index, people);
    people.offer(person);
  }

  take(): RegisterSample {
    const { companies, dissolved, persons } = this;
    const people = [...this.people].map(([index, { values }]) => [index, values] as const);
    return {
      companies: companies.values,
      dissolved: dissolved.values,
      persons: persons.values,
      people: Object.fromEntries(people),
    };
  }
}
