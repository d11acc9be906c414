import { describe, expect, it } from "@jest/globals";
import { compileCheck } from "../../../api/shared/schemas/validate.ts";
import type { RecordReader } from "../../../api/shared/definitions/record-reader.ts";
import { registeredOfficeAddress } from "../../../api/resources/registered-office-address/index.ts";

const ADDRESS = { address_line_1: "62 Pretend Avenue", locality: "Leeds", postal_code: "LS1 4ZZ" };
const [version1] = registeredOfficeAddress.versions;
const ETAG = "0123456789abcdef0123456789abcdef01234567";

function read(company: unknown): Promise<unknown> {
  const reader = { fetchOne: () => Promise.resolve(company) } as unknown as RecordReader;
  return registeredOfficeAddress.read(reader, { company_number: "99000064" }, {});
}

function companyWith(members: object) {
  return { _id: "99000064", etag: ETAG, revision: 1, data: { company_number: "99000064", ...members } };
}

describe("the registered office address", () => {
  it("is read with the company it belongs to", async () => {
    expect(await read(companyWith({ registered_office_address: ADDRESS }))).toEqual({
      company_number: "99000064",
      etag: ETAG,
      address: ADDRESS,
    });
  });

  it("is not found for an unknown company or one without an address", async () => {
    expect(await read(null)).toBeNull();
    expect(await read(companyWith({}))).toBeNull();
    expect(registeredOfficeAddress.notFound).toBe("registered-office-address-not-found");
  });

  it("is shown with its kind, ETag and link", () => {
    const body = version1.present(
      { company_number: "99000064", etag: ETAG, address: ADDRESS },
      { today: "2026-11-01" },
    );
    expect(body).toEqual({
      ...ADDRESS,
      etag: ETAG,
      kind: "registered-office-address",
      links: { self: "/company/99000064/registered-office-address" },
    });
    expect(compileCheck(version1.schema)(body)).toBeNull();
  });
});
