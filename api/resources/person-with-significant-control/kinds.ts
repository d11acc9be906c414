/** The eight kinds of persons with significant control: their names, their paths, the members that each may have. */

const SUBJECTS = [
  ["individual", "company-psc-individual", "individual-person-with-significant-control"],
  ["corporate-entity", "company-psc-corporate", "corporate-entity-person-with-significant-control"],
  ["legal-person", "company-psc-legal", "legal-person-person-with-significant-control"],
  ["super-secure", "company-psc-supersecure", "super-secure-person-with-significant-control"],
] as const;

export interface PscKind {
  /** The part of the path, and of `links.self`. */
  segment: string;
  /** `kind` of the resource. */
  kind: string;
  /** `resource_kind` of API-shaped lines and events. */
  resourceKind: string;
  /** Which members the kind has depends on it. */
  subject: (typeof SUBJECTS)[number][0];
  /** True for the beneficial owner of an overseas entity. */
  isBeneficialOwner: boolean;
  /** Name of the last path parameter, as the specification writes it. */
  idParameter: "notification_id" | "super_secure_id";
}

export const pscKinds: readonly PscKind[] = SUBJECTS.flatMap(([subject, resourceKind, kind]) => {
  const idParameter = subject === "super-secure" ? "super_secure_id" : "notification_id";
  const owner = `${subject}-beneficial-owner`;
  return [
    { segment: subject, kind, resourceKind, subject, isBeneficialOwner: false, idParameter },
    { segment: owner, kind: owner, resourceKind: owner, subject, isBeneficialOwner: true, idParameter },
  ] as const;
});

const byKind = new Map(pscKinds.map((kind) => [kind.kind, kind]));

/** The kind for a word; undefined for an unknown word. */
export function findPscKind(word: unknown): PscKind | undefined {
  // Compat: the published specification leaves out the second "person", the data do not (bulk formats 2.3).
  if (word === "legal-person-with-significant-control")
    return byKind.get("legal-person-person-with-significant-control");
  return typeof word === "string" ? byKind.get(word) : undefined;
}

/** One sentence on what a resource of this kind is. */
export function summariseKind({ subject, isBeneficialOwner }: PscKind): string {
  const words = subject.replaceAll("-", " ");
  if (isBeneficialOwner) return `One ${words} beneficial owner of an overseas entity.`;
  return subject === "super-secure"
    ? `One ${words} person with significant control.`
    : `One ${words} with significant control.`;
}

const CONTROL_MEMBERS = ["name", "address", "natures_of_control", "notified_on", "ceased_on"];
const PERSON_MEMBERS = ["name_elements", "date_of_birth", "nationality", "identity_verification_details"];

/** Members of a kind besides identity and links; others are neither stored nor shown. */
export function membersOfKind({ subject, isBeneficialOwner }: PscKind): readonly string[] {
  if (subject === "super-secure") return ["description", "ceased", "identity_verification_details"];
  const owner = isBeneficialOwner ? ["is_sanctioned"] : [];
  if (subject !== "individual") {
    const office = isBeneficialOwner ? ["principal_office_address"] : [];
    return [...CONTROL_MEMBERS, "identification", ...office, ...owner];
  }
  const residence = isBeneficialOwner ? [] : ["country_of_residence"];
  return [...CONTROL_MEMBERS, ...PERSON_MEMBERS, ...residence, ...owner];
}

/** Members of `identification` that a body of this kind has. */
export function identificationMembersOf({ subject }: PscKind): readonly string[] {
  const legal = ["legal_authority", "legal_form"];
  return subject === "legal-person"
    ? legal
    : [...legal, "place_registered", "country_registered", "registration_number"];
}

/** `description` of a super-secure kind, which states nothing else of the person. */
export function descriptionOf({ isBeneficialOwner }: PscKind): string {
  return isBeneficialOwner
    ? "super-secure-beneficial-owner"
    : "super-secure-persons-with-significant-control";
}
