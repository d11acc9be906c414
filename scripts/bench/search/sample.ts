/** Owns the sample of a register from which queries are drawn. */
import type { CompanyProfile } from "../../../api/resources/company-profile/record.ts";
import type { Appointment } from "../../../api/resources/officer-appointment/record.ts";
import type { Psc } from "../../../api/resources/person-with-significant-control/record.ts";
import { Reservoir } from "../../../ingest/reservoir.ts";
import { createRandom } from "../random.ts";

// Many more than queries of one kind, so that few are drawn twice.
const SIZE = 2_000;

export interface SampledCompany {
  number: string;
  name: string;
  status: string | undefined;
  created: string | undefined;
  sic: string | undefined;
  locality: string | undefined;
}

export interface SampledPerson {
  forename: string;
  surname: string;
}

/** Companies and people of a register. */
export interface RegisterSample {
  companies: SampledCompany[];
  dissolved: SampledCompany[];
  persons: SampledPerson[];
  /** Persons with significant control. */
  controllers: SampledPerson[];
}

/** Takes a sample of what passes by; the same register and seed give the same. */
export class Sampler {
  private readonly companies: Reservoir<SampledCompany>;
  private readonly dissolved: Reservoir<SampledCompany>;
  private readonly persons: Reservoir<SampledPerson>;
  private readonly controllers: Reservoir<SampledPerson>;

  constructor(seed: number) {
    const random = createRandom(seed);
    this.companies = new Reservoir(SIZE, random);
    this.dissolved = new Reservoir(SIZE, random);
    this.persons = new Reservoir(SIZE, random);
    this.controllers = new Reservoir(SIZE, random);
  }

  offerCompany(company: CompanyProfile): void {
    const { company_number: number, company_name: name, company_status: status } = company;
    const { date_of_creation: created } = company;
    const [sic] = company.sic_codes ?? [];
    const locality = company.registered_office_address?.locality;
    const kind = status === "dissolved" ? this.dissolved : this.companies;
    kind.offer({ number, name, status, created, sic, locality });
  }

  offerOfficer({ name_elements }: Appointment): void {
    const { forename, surname } = name_elements ?? {};
    if (forename && surname) this.persons.offer({ forename, surname });
  }

  offerPsc({ name_elements }: Psc): void {
    const { forename, surname } = name_elements ?? {};
    if (forename && surname) this.controllers.offer({ forename, surname });
  }

  take(): RegisterSample {
    const { companies, dissolved, persons, controllers } = this;
    return {
      companies: companies.values,
      dissolved: dissolved.values,
      persons: persons.values,
      controllers: controllers.values,
    };
  }
}
