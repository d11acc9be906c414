/** The API over the sample register: resources, searches, access, errors and readiness. */
import { describe, expect, it } from "@jest/globals";
import { forAllTests } from "../support/for-all-tests.ts";
import { openLoadedSample } from "../support/loaded-sample.ts";
import { TEST_KEY, basic } from "../support/register.ts";
import facts from "../fixtures/register/facts.json" with { type: "json" };

const TODAY = "2026-11-21T12:00:00Z";

let day = TODAY;
const register = forAllTests(() => openLoadedSample({ clock: () => new Date(day) }));

type Body = Record<string, unknown> & { items: Record<string, unknown>[] };

async function body(path: string): Promise<Body> {
  const answer = await register.get(path);
  expect({ path, status: answer.status, ...(answer.status === 200 ? {} : { body: answer.body }) }).toEqual({
    path,
    status: 200,
  });
  return answer.body as Body;
}

const firstLink = (item: Record<string, unknown> | undefined) =>
  (item as { links: { self: string } }).links.self;

describe("the company", () => {
  it.each(
    Object.entries(facts.companies.expect).filter(
      ([, expected]) => "date_of_creation" in expected && expected.date_of_creation !== "absent",
    ),
  )("%s has the date of creation that its row has", async (number, expected) => {
    expect(await body(`/company/${number}`)).toMatchObject({
      date_of_creation: (expected as { date_of_creation: string }).date_of_creation,
    });
  });

  it("accepts its number in lower case, but not without leading zeros", async () => {
    expect(await body("/company/sc990001")).toMatchObject({ company_number: "SC990001" });
    expect((await register.get("/company/99061")).status).toBe(404);
  });

  it("has an ETag that changes when a computed member does, though the record stays the same", async () => {
    const before = await register.get("/company/99000064");
    day = "2027-05-01T12:00:00Z";
    const after = await register.get("/company/99000064");
    day = TODAY;
    expect(after.body).toMatchObject({
      accounts: { overdue: true },
      etag: (before.body as { etag: string }).etag,
    });
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect((await register.get("/company/99000064")).headers.get("etag")).toBe(before.headers.get("etag"));
  });

  it("answers its registered office address, and 404 where none is stored", async () => {
    expect(await body("/company/99000064/registered-office-address")).toMatchObject({
      kind: "registered-office-address",
    });
    expect((await register.get("/company/CE099001/registered-office-address")).status).toBe(404);
  });
});

describe("officers", () => {
  it("link from a company to the appointment, and on to the person's appointments", async () => {
    const list = await body("/company/99000064/officers");
    expect(list.total_results).toBe(list.items.length);
    const [officer] = list.items as {
      links: { self: string; officer: { appointments: string } };
      name: string;
    }[];
    expect(await body(officer?.links.self ?? "")).toMatchObject({ name: officer?.name });
    const appointments = await body(officer?.links.officer.appointments ?? "");
    expect(
      appointments.items.map((item) => (item.appointed_to as { company_number: string }).company_number),
    ).toContain("99000064");
  });

  it("are a 404 for an unknown company, and an empty list for a company without officers", async () => {
    expect((await register.get("/company/98999999/officers")).status).toBe(404);
    const [without = ""] = facts.officers.companies_with_no_officer;
    expect(await body(`/company/${without}/officers`)).toMatchObject({ total_results: 0, items: [] });
  });

  it("have one entry in the search, even the officer with the most appointments", async () => {
    const { appointments, its_appointments } = facts.officers.most_appointments;
    const found = await body("/search/officers?q=barnaby+quillfeather");
    const same = found.items.filter(({ title }) => title === "Barnaby QUILLFEATHER");
    expect(same.map((item) => item.appointment_count)).toEqual([appointments + its_appointments]);
  });
});

describe("disqualified officers", () => {
  it("are found by name and answered only under their own kind", async () => {
    const { items } = await body("/search/disqualified-officers?q=crookshaw-test");
    const path = firstLink(items[0]);
    expect(path).toMatch(/^\/disqualified-officers\/natural\//);
    expect(await body(path)).toMatchObject({ kind: "natural-disqualification", surname: "CROOKSHAW-TEST" });
    expect((await register.get(path.replace("/natural/", "/corporate/"))).status).toBe(404);
  });
});

describe("searches", () => {
  it.each([
    ["/search/companies?q=leading%20zeros%20sample", "00099061"],
    ["/search/companies?q=99061", "00099061"],
    ["/search/companies?q=enghraifft%20ty%20gwneud%20cyf", "99000012"],
    ["/search?q=double%20space%20sample", "99000013"],
  ])("%s puts %s first", async (path, number) => {
    const { items } = await body(path);
    expect(items[0]).toMatchObject({ company_number: number });
  });

  it("answer 200 with no items when they find nothing", async () => {
    expect(await body("/search/companies?q=zzzznothingzzzz")).toMatchObject({ items: [], total_results: 0 });
  });

  it("name the parameter when q is missing", async () => {
    const answer = await register.get("/search/companies");
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      errors: [{ type: "ch:validation", location: "q", location_type: "query-parameter" }],
    });
  });
});

describe("access", () => {
  it("is refused without a key", async () => {
    const answer = await register.get("/company/99000064", {});
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: "Empty Authorization header", type: "ch:service" });
    expect(answer.headers.get("ch-authentication-error")).toBe("Empty Authorization header");
  });

  it.each([
    ["an unknown key", basic("no-such-key-anywhere")],
    ["no key in the header", { authorization: "Basic " }],
    ["another scheme", { authorization: "Digest abc" }],
    ["an empty key", basic("")],
  ])("is refused with %s", async (_what, headers) => {
    const answer = await register.get("/company/99000064", headers);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: "Invalid Authorization", type: "ch:service" });
  });
});

describe("missing resources", () => {
  it.each([
    ["/company/98999999", "company-profile-not-found"],
    ["/company/not-a-number", "company-profile-not-found"],
    ["/company/98999999/registered-office-address", "registered-office-address-not-found"],
    ["/nowhere", "resource-not-found"],
  ])("%s is a 404 that says %s", async (path, error) => {
    const answer = await register.get(path);
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual({ errors: [{ type: "ch:service", error }] });
  });

  it("an appointment of another company is a 404", async () => {
    const { items } = await body("/company/99000064/officers");
    const path = firstLink(items[0]).replace("99000064", "99000001");
    expect((await register.get(path)).status).toBe(404);
  });
});

describe("every answer", () => {
  it("carries the request's id, or a new one if that is not usable", async () => {
    const own = await register.get("/healthz", { "x-request-id": "my-id.1" });
    expect(own.headers.get("x-request-id")).toBe("my-id.1");
    const other = await register.get("/healthz", { "x-request-id": "no good <id>" });
    expect(other.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("clients that read the rate limit", () => {
  it("get headers that say they may go on", async () => {
    const { headers } = await register.get("/company/99000064");
    expect(Number(headers.get("x-ratelimit-remain"))).toBeGreaterThan(600);
    // This register's clock stands at noon; the rate limit's window ends five minutes later.
    expect(headers.get("x-ratelimit-reset")).toBe(String(Date.parse("2026-11-21T12:05:00Z") / 1000));
    expect(headers.get("x-ratelimit-window")).toBe("5m");
  });
});

describe("a bad request", () => {
  it.each([
    ["a method that is not offered", "/company/99000064", { method: "DELETE" }, 405, "invalid-http-method"],
    ["a path that cannot be decoded", "/company/%E0%A4%A", {}, 400, "bad-request"],
    ["a body that is no JSON", "/company/99000064", { method: "POST", body: "{" }, 400, "bad-request"],
    [
      "a body that is too large",
      "/company/99000064",
      { method: "POST", body: "x".repeat(200_000) },
      413,
      "bad-request",
    ],
  ])("with %s is refused in the error shape", async (_what, path, init, status, error) => {
    const headers = { ...basic(TEST_KEY), "content-type": "application/json" };
    const response = await fetch(register.base + path, { ...init, headers });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status,
      body: { errors: [{ type: "ch:service", error }] },
    });
  });

  it("with a method that is not offered gets the allowed methods", async () => {
    const response = await fetch(`${register.base}/company/99000064`, {
      method: "DELETE",
      headers: basic(TEST_KEY),
    });
    expect(response.headers.get("allow")).toBe("HEAD, GET");
  });
});

it("HEAD is answered like GET, without a body", async () => {
  const response = await fetch(`${register.base}/company/99000064`, {
    method: "HEAD",
    headers: basic(TEST_KEY),
  });
  expect([response.status, await response.text()]).toEqual([200, ""]);
});

it("/readyz reports that the register is ready when both stores answer and the indices exist", async () => {
  expect(await body("/readyz")).toMatchObject({ status: "ready" });
});
