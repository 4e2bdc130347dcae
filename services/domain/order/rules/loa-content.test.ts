import { describe, expect, it } from "@jest/globals";
import { buildOrder, buildRequirement } from "../../../../test/support/orders/order-factory.ts";
import { loaContentOf, missingForLoa } from "./loa-content.ts";

const requirements = [
  buildRequirement({ slug: "loa", field_type: "document", has_value: false, shown_value: null }),
  buildRequirement({ slug: "invoice", field_type: "document", has_value: false }),
  buildRequirement(),
  buildRequirement({ slug: "auth_person_name", has_value: false, shown_value: null }),
  buildRequirement({ slug: "service_address", shown_value: "1 Main St\nReno\nNV 89501\nUS" }),
  buildRequirement({ slug: "account_number", shown_value: "****0210" }),
  buildRequirement({ slug: "billing_phone_number", shown_value: "+12125551234" }),
  buildRequirement({ slug: "pin_passcode", mandatory: false, shown_value: "****" }),
  buildRequirement({ slug: "port_type", mandatory: false, has_value: false, shown_value: null }),
];

describe("the content of a letter of authorization", () => {
  const order = buildOrder({ requirements, losing_carrier: "Verizon" });

  it("is taken from the order: holder, address, account and numbers", () => {
    const content = loaContentOf(order);
    expect(content.customer).toEqual([
      { slug: "entity_name", label: "Account holder", value: "Acme Dental LLC" },
      { slug: "auth_person_name", label: "Authorized person", value: null },
      { slug: "service_address", label: "Service address", value: "1 Main St\nReno\nNV 89501\nUS" },
    ]);
    expect(content.service).toEqual([
      { slug: "losing_carrier", label: "Current provider", value: "Verizon" },
      { slug: "account_number", label: "Account number", value: "****0210", is_masked: true },
      { slug: "billing_phone_number", label: "Billing telephone number", value: "+12125551234" },
    ]);
    expect(content.phone_numbers).toEqual(["+12125551234"]);
    expect(content.order_id).toBe(order.id);
  });

  it("states the losing carrier's requirement if the order has one, else the order's carrier or a generic text", () => {
    const field = buildRequirement({ slug: "losing_carrier", shown_value: "BT" });
    const [named] = loaContentOf({ ...order, requirements: [field] }).service;
    expect(named).toMatchObject({ value: "BT" });
    const [unnamed] = loaContentOf({ ...order, losing_carrier: null }).service;
    expect(unnamed?.value).toMatch(/serves the numbers today/);
  });

  it("describes the customer generically if no requirement names one", () => {
    const field = buildRequirement({ slug: "tax_id", shown_value: "12345678Z" });
    const { customer } = loaContentOf({ ...order, requirements: [field] });
    expect(customer.map(({ value }) => value)).toEqual([
      "The holder of the account with the current provider",
      "12345678Z",
    ]);
  });

  it("lacks only mandatory values that it must state: no documents, nothing optional", () => {
    expect(missingForLoa(order).map(({ slug, code }) => [slug, code])).toEqual([
      ["auth_person_name", "missing"],
    ]);
  });
});
