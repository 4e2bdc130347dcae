import { describe, expect, it } from "@jest/globals";
import { checkAfterSubmission, type SentOrders } from "./check-after-submission.ts";
import { DriverRecord } from "./run-progress.ts";

const FOC = "2026-12-18T10:00:00-05:00";
const [A, B, C, D] = ["+12125209910", "+12125219910", "+12125209904", "+12125219904"] as const;

/** An order whose carrier accepted a change, and one that the desk has split. */
function driven(): DriverRecord {
  const record = new DriverRecord();
  record.pairs.set("o", { accountId: "a", ending: "accepted", numbers: [A, B] });
  record.pairs.set("w", { accountId: "a", ending: "failed", numbers: [C, D] });
  record.splits.push({ from: "w", to: "p", moved: [D] });
  const asked = { id: "c", orderId: "o", removed: [B], foc: FOC, isConfirmation: false } as const;
  record.changes.push({ ...asked, wanted: "accepted" });
  return record;
}

const submit = (order_id: string, value = "A-1") => ({
  ...({ request_id: order_id, kind: "submit", order_id, request_version: 1 } as const),
  change: null,
  requirements: [{ slug: "account_number", phone_number: null, value, document_id: null }],
  documents: [
    { slug: "loa", document_id: `d-${order_id}`, content_type: "", sha256: "h", url: "" },
  ],
});

const SUPPLEMENT = {
  ...({ ...submit("o"), request_id: "s", kind: "supplement", request_version: 2 } as const),
  change: { change_id: "c", foc_requested: FOC, remove_phone_numbers: [B] },
};

const CHANGE = { id: "c", status: "accepted", noted: ["pending", "accepted"] };
const NUMBERS = [
  { phone_number: A, order_id: "o" },
  { phone_number: C, order_id: "w" },
  { phone_number: D, order_id: "p" },
];

const SENT: SentOrders = {
  changes: [CHANGE],
  focRequested: new Map([["o", FOC]]),
  numbers: NUMBERS,
  requests: [submit("o"), SUPPLEMENT, SUPPLEMENT, submit("w"), submit("p")],
  files: new Map([["d-p", "h"]]),
};

describe("the check of changed and split orders", () => {
  it("accepts what the carrier and the desk did, also where a request was sent again", () => {
    expect(checkAfterSubmission(driven(), SENT)).toEqual([]);
  });

  it.each<[string, Partial<SentOrders>]>([
    ["a lost change", { changes: [] }],
    ["a doubled one", { changes: [CHANGE, CHANGE] }],
    ["an invented one", { changes: [CHANGE, { ...CHANGE, id: "other" }] }],
    ["another end", { changes: [{ ...CHANGE, status: "refused", noted: ["pending", "refused"] }] }],
    ["two ends", { changes: [{ ...CHANGE, noted: ["pending", "accepted", "accepted"] }] }],
    ["a lost date", { focRequested: new Map([["o", null]]) }],
    ["a number that stayed", { numbers: [...NUMBERS, { phone_number: B, order_id: "o" }] }],
    ["a number in two orders", { numbers: [...NUMBERS, { phone_number: D, order_id: "w" }] }],
    ["a lost number", { numbers: NUMBERS.slice(0, 2) }],
    ["a change that was not sent", { requests: SENT.requests.filter((one) => one !== SUPPLEMENT) }],
    ["a second id", { requests: [...SENT.requests, { ...SUPPLEMENT, request_id: "t" }] }],
    ["a second version", { requests: [...SENT.requests, { ...SUPPLEMENT, request_version: 3 }] }],
    ["other values", { requests: [...SENT.requests.slice(0, -1), submit("p", "A-2")] }],
    ["a lost file", { files: new Map() }],
  ])("finds %s", (_, fields) => {
    expect(checkAfterSubmission(driven(), { ...SENT, ...fields })).not.toEqual([]);
  });

  it("takes any end of a change whose order is cancelled", () => {
    const record = driven();
    record.cancelAsked.add("o");
    const change = { ...CHANGE, status: "withdrawn", noted: ["pending", "withdrawn"] };
    const numbers = [...NUMBERS, { phone_number: B, order_id: "o" }];
    expect(checkAfterSubmission(record, { ...SENT, changes: [change], numbers })).toEqual([]);
  });
});
