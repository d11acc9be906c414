/** Owns version 1 of an individual with significant control. */
import type { ResourceVersion } from "../define-resource.ts";
import { describeKind } from "../person-with-significant-control/describe-kind.ts";
import type { StoredPsc } from "../person-with-significant-control/record.ts";

export interface IndividualRead {
  psc: StoredPsc;
  /** In register view of a register that is public. */
  showsDay: boolean;
}

const [{ version, schema, present }] = describeKind("individual").versions;

export const version1: ResourceVersion<IndividualRead> = {
  version,
  schema,
  present: ({ psc, showsDay }) => {
    const { date_of_birth: month, birth_day: day } = psc.data;
    const shown = present(psc);
    return showsDay && month && day ? { ...shown, date_of_birth: { day, ...month } } : shown;
  },
};
