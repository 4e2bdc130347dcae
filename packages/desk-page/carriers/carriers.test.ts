import { describe, expect, it } from "@jest/globals";
import { callsOf, hoursText, type Carrier, type OrderToCall, type Provider } from "./carriers.ts";

const desk = { name: "LNP desk", phone: "+12125550199", email: null, url: null, notes: null };

function order(id: string, given: Partial<OrderToCall> = {}): OrderToCall {
  return {
    id,
    account: { id: "a", name: "Acme" },
    status: "submitted",
    provider: "manual",
    losing_carrier: "Example Bell",
    customer_reference: "",
    first_number: "+12125550123",
    numbers_count: 1,
    foc_actual: null,
    reason: "It waits for a carrier without an integration.",
    waiting_since: "2026-03-02T14:00:00.000Z",
    ...given,
  };
}

const figures = {
  last_word: null,
  open_orders: 0,
  rejections: [],
  orders_to_call: [] as OrderToCall[],
  orders_to_call_count: 0,
};
const hours = { time_zone: "UTC", days: [1, 2, 3, 4, 5], from: "08:00", to: "17:00" };

function provider(name: string, orders: OrderToCall[]): Provider {
  return {
    name,
    title: name,
    capabilities: [],
    statuses: [],
    codes: [],
    business_hours: hours,
    open_now: true,
    contact: { ...desk, name: `desk of ${name}` },
    carriers: [],
    ...figures,
    orders_to_call: orders,
  };
}

function carrier(name: string, contact: Carrier["contact"]): Carrier {
  const own = { provider: null, prefixes: [], business_hours: null, open_now: false, contact };
  return { name, ...own, ...figures };
}

describe("the calls to make today", () => {
  it("come from all providers, the longest waiting first", () => {
    const old = order("old", { waiting_since: "2026-03-01T14:00:00.000Z" });
    const calls = callsOf([provider("a", [order("new")]), provider("b", [old])], []);
    expect(calls.map((call) => call.order.id)).toStrictEqual(["old", "new"]);
  });

  it("name the carrier's own contact, else that of its provider", () => {
    const given = [provider("manual", [order("1")])];
    expect(callsOf(given, [carrier("Example Bell", desk)])[0]).toMatchObject({
      contact: desk,
      isOpen: false,
    });
    expect(callsOf(given, [carrier("Example Bell", null)])[0]).toMatchObject({
      contact: { name: "desk of manual" },
      isOpen: true,
    });
  });
});

describe("business hours", () => {
  it("are read as people write them", () => {
    expect(hoursText(hours)).toBe("Mon–Fri 08:00–17:00, UTC");
    expect(hoursText({ ...hours, days: [1, 3] })).toBe("Mon, Wed 08:00–17:00, UTC");
  });
});
