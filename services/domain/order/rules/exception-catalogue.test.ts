import { describe, expect, it } from "@jest/globals";
import { ORDER_KINDS } from "../../requirement/rules/catalogue.ts";
import { findExceptionCode, EXCEPTION_CATALOGUE } from "./exception-catalogue.ts";

/** The canonical codes, and the requirement that the customer has to correct for each. */
const SLUG_BY_CODE: Readonly<Record<string, string | null>> = {
  account_number_mismatch: "account_number",
  pin_invalid: "pin_passcode",
  auth_person_mismatch: "auth_person_name",
  entity_name_mismatch: "entity_name",
  address_mismatch: "service_address",
  postal_code_mismatch: "service_address",
  btn_mismatch: "billing_phone_number",
  main_btn_porting: "port_type",
  port_type_incorrect: "port_type",
  phone_number_mismatch: null,
  number_inactive: null,
  number_not_portable: null,
  rate_center_not_portable: null,
  pending_order: null,
  port_freeze: null,
  special_feature: null,
  foc_rejected: null,
  foc_expired: null,
  loa_invalid: "loa",
  split_required: null,
  carrier_unresponsive: null,
  lsr_pending: null,
  sv_conflict: null,
  sv_failure: null,
  carrier_id_invalid: "losing_carrier",
  contact_support: null,
  tax_id_mismatch: "tax_id",
  access_type_incorrect: "access_type",
  birth_date_mismatch: "birth_date",
  reseller_mismatch: "entity_name",
  all_data_mismatch: "account_number",
  different_accounts: null,
  different_rate_centers: null,
  associated_numbers_missing: "associated_numbers",
  porting_code_expired: "pac_code",
  newer_authorization: "loa",
  range_incomplete: "port_type",
  carrier_delay: null,
  other: null,
};

describe("the exception catalogue", () => {
  it("has the canonical codes, each with the requirement to fix", () => {
    const slugs = EXCEPTION_CATALOGUE.map(({ code, slugs: [slug = null] }) => [code, slug]);
    expect(Object.fromEntries(slugs)).toEqual(SLUG_BY_CODE);
    expect(EXCEPTION_CATALOGUE).toHaveLength(39);
  });

  it("includes country-specific requirements that a carrier's rejection may concern", () => {
    expect(findExceptionCode("carrier_id_invalid").slugs).toEqual([
      "losing_carrier",
      "icc_id",
      "rio_code",
      "pac_code",
    ]);
    expect(findExceptionCode("port_type_incorrect").slugs).toEqual([
      "port_type",
      "category",
      "installation",
      "line_type",
    ]);
  });

  it("has every code that a country's requirement refers to", () => {
    const fields = ORDER_KINDS.flatMap(({ profile }) => profile);
    const codes = new Set(EXCEPTION_CATALOGUE.map(({ code }) => code));
    const unknown = fields.filter(
      ({ exception }) => exception !== undefined && !codes.has(exception),
    );
    expect(unknown.map(({ slug }) => slug)).toEqual([]);
  });

  it.each([...EXCEPTION_CATALOGUE])("explains $code to the customer", (one) => {
    expect(one.title).toMatch(/^[A-Z]/);
    expect(one.detail).toMatch(/^[A-Z].*\.$/);
  });

  it("assigns to the desk what no customer can resolve", () => {
    const desk = EXCEPTION_CATALOGUE.filter(({ owner }) => owner === "desk").map(
      ({ code }) => code,
    );
    expect(desk).toEqual([
      "split_required",
      "carrier_unresponsive",
      "lsr_pending",
      "sv_conflict",
      "sv_failure",
      "different_accounts",
      "different_rate_centers",
    ]);
  });

  it("maps an unknown code to other", () => {
    expect(findExceptionCode("no such code").code).toBe("other");
    expect(findExceptionCode(null).code).toBe("other");
  });
});
