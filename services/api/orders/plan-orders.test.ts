import { describe, expect, it } from "@jest/globals";
import { parseCarrierDirectory } from "../../domain/carrier/rules/carrier-directory.ts";
import { readCarriers } from "../../domain/carrier/read-carriers.ts";
import { locateNumber, planOrders, type OrderPlan, type OrderRequest } from "./plan-orders.ts";

const directory = parseCarrierDirectory(
  JSON.stringify({
    carriers: { Verizon: {}, Frontier: { provider: "frontier-gateway" } },
    prefixes: { "+1212736": "Verizon", "+1202224": "Frontier" },
  }),
);

const { terms } = readCarriers("data/carriers");

function plan(
  request: Partial<OrderRequest>,
  holders: ReadonlyMap<string, string> = new Map(),
): OrderPlan {
  const now = new Date("2026-11-02T09:00:00.000Z");
  const whole = { phone_numbers: ["+12125551234"], ...request };
  const located = whole.phone_numbers.map((number) => locateNumber(number, whole, directory));
  const given = { accountId: "a", defaultProvider: "sandbox", directory, terms, now };
  const context = { ...given, located, holders };
  return planOrders(whole, context);
}

function ordersOf(planned: OrderPlan) {
  return planned.faults.length === 0 ? planned.orders : [];
}

describe("planning orders", () => {
  it("puts numbers of one kind into one draft", () => {
    const [order, ...others] = ordersOf(plan({ phone_numbers: ["+12125551234", "+13034567890"] }));
    expect(others).toEqual([]);
    expect(order).toMatchObject({
      status: "draft",
      country_code: "US",
      number_type: "local",
      provider: "sandbox",
    });
    expect(order?.numbers.map((number) => number.phone_number)).toEqual([
      "+12125551234",
      "+13034567890",
    ]);
  });

  it("gives numbers that another account holds to the platform, an order for each holder", () => {
    const phone_numbers = ["+12125551234", "+12125551235", "+12125551236", "+12125551237"];
    const holders = new Map([
      ["+12125551235", "b"],
      ["+12125551236", "b"],
      ["+12125551237", "c"],
    ]);
    const orders = ordersOf(plan({ phone_numbers, losing_carrier: "manual" }, holders));
    expect(orders.map(({ provider, numbers }) => [provider, numbers.length])).toEqual([
      ["manual", 1],
      ["platform", 2],
      ["platform", 1],
    ]);
  });

  it("assigns the losing carrier manual to the provider of that name", () => {
    expect(ordersOf(plan({ losing_carrier: "manual" }))[0]?.provider).toBe("manual");
  });

  it("makes one order per losing carrier from the directory, with the provider that serves it", () => {
    const numbers = ["+12127361234", "+12125551234", "+12022241234", "+12127361235"];
    const orders = ordersOf(plan({ phone_numbers: numbers }));
    expect(orders.map((order) => [order.losing_carrier, order.provider])).toEqual([
      ["Verizon", "sandbox"],
      [null, "sandbox"],
      ["Frontier", "frontier-gateway"],
    ]);
    expect(orders[0]?.numbers.map((number) => number.phone_number)).toEqual([
      "+12127361234",
      "+12127361235",
    ]);
  });

  it("prefers the request's losing carrier to the directory's", () => {
    const numbers = ["+12127361234", "+12125551234"];
    const orders = ordersOf(plan({ phone_numbers: numbers, losing_carrier: "Acme" }));
    expect(orders.map((order) => [order.losing_carrier, order.provider])).toEqual([
      ["Acme", "sandbox"],
    ]);
  });

  it("reports every invalid number at once", () => {
    const numbers = [
      "+12125551234",
      "12125551234",
      "+1212555",
      "+12125551234",
      "+551123456789",
      "+19002345678",
      "+٣٣٣",
      "+447012345678",
    ];
    const planned = plan({ phone_numbers: numbers });
    expect(planned.orders.map(({ numbers: own }) => own.length)).toEqual([1]);
    expect(planned.faults.map(({ pointer, code }) => [pointer, code])).toEqual([
      ["#/phone_numbers/1", "invalid_number"],
      ["#/phone_numbers/2", "invalid_number"],
      ["#/phone_numbers/3", "duplicate_number"],
      ["#/phone_numbers/4", "country_not_supported"],
      ["#/phone_numbers/5", "country_not_supported"],
      ["#/phone_numbers/6", "invalid_number"],
      ["#/phone_numbers/7", "country_not_supported"],
    ]);
  });

  it("splits a request by country and number type, each order with its own requirements", () => {
    const numbers = ["+12125551234", "+14165551234", "+442079460000", "+18002255288"];
    const orders = ordersOf(plan({ phone_numbers: [...numbers, "+447400123456", "+12125551235"] }));
    expect(
      orders.map(({ country_code, number_type, numbers: own, requirements }) => [
        `${country_code} ${number_type}`,
        own.map(({ phone_number }) => phone_number),
        requirements.filter(({ mandatory }) => mandatory).map(({ slug }) => slug)[1],
      ]),
    ).toEqual([
      ["US local", ["+12125551234", "+12125551235"], "invoice"],
      ["CA local", ["+14165551234"], "invoice"],
      ["GB local", ["+442079460000"], "invoice"],
      ["US toll_free", ["+18002255288"], "invoice"],
      ["GB mobile", ["+447400123456"], "invoice"],
    ]);
    expect(new Set(orders.map((order) => order.batch_id)).size).toBe(1);
    expect(new Set(orders.map((order) => order.id)).size).toBe(orders.length);
  });

  it("refuses a kind that has no profile, whatever type the request gives", () => {
    for (const number_type of ["local", "mobile", "toll_free"] as const) {
      const planned = plan({ phone_numbers: ["+33810123456"], number_type });
      expect(planned.faults.map(({ code }) => code)).toEqual(["country_not_supported"]);
    }
  });

  it.each([
    ["+442079460000", "mobile", "local, not mobile"],
    ["+18002255288", "local", "toll_free, not local"],
    ["+12125551234", "toll_free", "local or mobile, not toll_free"],
    ["+34612345678", "national", "mobile, not national"],
  ] as const)("refuses %s as %s, which its numbering plan contradicts", (number, type, text) => {
    const planned = plan({ phone_numbers: [number], number_type: type });
    expect(planned).toMatchObject({
      faults: [
        {
          pointer: "#/phone_numbers/0",
          code: "number_type_mismatch",
          detail: expect.stringContaining(text),
        },
      ],
    });
  });

  it("takes the request's type where the numbering plan leaves it open", () => {
    const types = (["local", "mobile", undefined] as const).map(
      (number_type) => ordersOf(plan({ number_type }))[0]?.number_type,
    );
    expect(types).toEqual(["local", "mobile", "local"]);
  });
});

describe("the date of planned orders", () => {
  const RUNNING = "2027-01-06T06:00:00+01:00";
  const ENDED = "2026-11-24T06:00:00+01:00";
  const faultsOf = (foc_requested: string, requirements?: Record<string, unknown>) =>
    plan({ phone_numbers: ["+4930901820"], foc_requested, requirements }).faults;

  it("is judged by the values of the request, and without them as of an order that has none", () => {
    expect(faultsOf(ENDED, { contract_status: " ended" })).toEqual([]);
    for (const given of [undefined, { contract_status: "running" }, { contract_status: {} }]) {
      expect(faultsOf(ENDED, given)).toMatchObject([
        { code: "foc_not_possible", detail: expect.stringContaining(`times: ${RUNNING}, `) },
      ]);
      expect(faultsOf(RUNNING, given)).toEqual([]);
    }
  });
});
