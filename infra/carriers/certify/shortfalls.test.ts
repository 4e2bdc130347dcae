import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import type { CarrierReceipt } from "../../../services/messages/generated/carrier-receipt.ts";
import type { CarrierUpdate } from "../../../services/messages/generated/carrier-update.ts";
import { buildCarrierUpdate } from "../../../test/support/carriers/carrier-update-factory.ts";
import {
  answeredAnew,
  CertifyFailure,
  noRequest,
  notCancellable,
  notCommitted,
  notDone,
  notReached,
  notRepeated,
  refusedUpdate,
  SECTIONS,
  waitFor,
  type Shortfall,
} from "./shortfalls.ts";

const update = (fields: Partial<CarrierUpdate> = {}): CarrierUpdate =>
  buildCarrierUpdate({
    update_id: "u1",
    order_id: "o1",
    raw_status: "ACK",
    kind: "acknowledged",
    ...fields,
  });

const receipt = (fields: Partial<CarrierReceipt> = {}): CarrierReceipt => ({
  provider: "test",
  update_id: "u1",
  order_id: "o1",
  port_out_ref: null,
  call_id: null,
  outcome: "applied",
  code: null,
  detail: null,
  source_topic: "carriers.updates",
  source_partition: 0,
  source_offset: 0,
  source_message_id: null,
  at: 0,
  ...fields,
});

const textOf = (shortfall: Shortfall): string => new CertifyFailure(shortfall).message;

const unreached = {
  orderId: "o1",
  status: "in_process",
  expected: ["foc_scheduled", "completed"],
  by: "acknowledged and date_confirmed",
};

describe("a failed check of the certification", () => {
  it("names the update that was expected, and that none came", () => {
    const other = update({ order_id: "o2" });
    expect(textOf(notReached(unreached, { updates: [other], receipts: [] }))).toBe(
      "Expected acknowledged and date_confirmed, so that the order becomes foc_scheduled or completed, " +
        "but the order is still in_process; no update on it has come. See docs/carriers.md#updates",
    );
  });

  it("names the updates that came instead, with what became of each", () => {
    const updates = [
      update(),
      update({ update_id: "u2", raw_status: "DATED", kind: null }),
      update({ update_id: "u3", raw_status: "NOTE", kind: "comment" }),
    ];
    const receipts = [
      receipt(),
      receipt({ update_id: "u2", outcome: "ignored", code: "unknown_status" }),
      receipt({ update_id: "u3", order_id: "o2" }),
    ];
    expect(textOf(notReached(unreached, { updates, receipts }))).toContain(
      'its last updates are "ACK" (acknowledged): applied; ' +
        '"DATED" (no kind, the provider\'s file decides): ignored as unknown_status; ' +
        '"NOTE" (comment): no receipt yet. See',
    );
  });

  it("names the last five updates of many", () => {
    const updates = Array.from({ length: 7 }, (_, n) => update({ raw_status: `S${n}` }));
    const text = textOf(notReached(unreached, { updates, receipts: [] }));
    expect(text.match(/"S\d"/g)).toEqual(['"S2"', '"S3"', '"S4"', '"S5"', '"S6"']);
  });

  it("names the reason of a refused update, and where its code is explained", () => {
    const detail = "#/foc_at: It is required.";
    const broken = receipt({ outcome: "refused", code: "rule_broken", detail });
    expect(textOf(refusedUpdate(broken))).toBe(
      "Expected every update to be accepted, but the update u1 was refused as rule_broken: " +
        "#/foc_at: It is required. See docs/carriers.md#errors",
    );
    const conflict = receipt({ outcome: "refused", code: "update_conflict", detail: "Used." });
    expect(textOf(refusedUpdate(conflict))).toMatch(/#order-and-repeats$/);
  });

  it("names what a repeated request was answered with", () => {
    expect(textOf(answeredAnew("u9"))).toBe(
      "Expected the repeated request to be answered with the same updates as before, " +
        "but an update came under another update_id, u9. See docs/carriers.md#order-and-repeats",
    );
    expect(textOf(notRepeated(["u1", "u2"]))).toContain("did not come again: u1, u2. See");
  });

  it("names the group that has not committed, and the request that did not come", () => {
    expect(textOf(notCommitted("submit", "p.test-integration"))).toBe(
      "Expected a consumer group p.test-integration… to commit the offset of the submit request, " +
        "but none has committed it. See docs/carriers.md#order-and-repeats",
    );
    expect(textOf(noRequest("cancel"))).toBe(
      "Expected a cancel request on carriers.requests, but the platform published none. " +
        "See docs/carriers.md#requests",
    );
  });

  it("says why a date that was confirmed is too near to cancel", () => {
    const detail =
      "The port date is 2026-01-08T10:00:00Z; an order can be cancelled until 48 hours before, which was past.";
    expect(textOf(notCancellable(detail))).toBe(
      "Expected your integration to confirm a date far enough ahead for the customer to cancel, " +
        `but it is too late with the one that it confirmed: ${detail} See docs/carriers.md#certification`,
    );
  });

  it("says how long it waited", async () => {
    const what = () => notDone("a case at the desk", "there is none");
    await expect(waitFor(() => undefined, { timeoutMs: 0, what })).rejects.toThrow(
      "Expected a case at the desk, but there is none (waited 0 s). See docs/carriers.md#certification",
    );
  });

  it("refers to headings that docs/carriers.md has", () => {
    const headings = readFileSync("docs/carriers.md", "utf8").matchAll(/^##+ (.+)$/gm);
    const anchors = [...headings].map(([, text = ""]) => text.toLowerCase().replaceAll(" ", "-"));
    expect(anchors).toEqual(expect.arrayContaining([...SECTIONS]));
  });
});
