/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { CallUpdate } from "../../../services/messages/generated/call-update.ts";
import type { PortOutUpdate } from "../../../services/messages/generated/port-out-update.ts";
import { eventually } from "../../support/eventually.ts";
import { buildCallUpdate } from "../../support/carriers/call-update-factory.ts";
import {
  buildPortOutUpdate,
  openNumberStack,
  type NumberStack,
  type Owner,
} from "../../support/orders/number-stack.ts";

const ENDED = { kind: "completed", duration_seconds: -1, ended_by: "caller" } as const;

let stack: NumberStack;
let owner: Owner;

// Of its own: what other tests publish would wait behind the garbage.
beforeAll(async () => {
  stack = await openNumberStack({});
  owner = await stack.newOwner();
});

const GARBAGE = 1_000;

/** Half of the messages are undecodable, and each of the others breaks a different rule; their keys begin with the number. */
async function publishGarbage(
  topic: string,
  number: string,
  broken: readonly Buffer[],
): Promise<void> {
  const messages = Array.from({ length: GARBAGE }, (_, n) => {
    const value =
      n % 2 === 0 ? Buffer.from(`garbage ${n}`.padEnd(64)) : broken[((n - 1) / 2) % broken.length];
    return {
      messageId: crypto.randomUUID(),
      topic: stack.product.topicPrefix + topic,
      key: Buffer.from(`${number}/${n}`),
      value: value ?? null,
    };
  });
  await stack.producer.send(messages);
}

async function codesOf(topic: string, number: string): Promise<Map<string, number>> {
  return eventually(async () => {
    const letters = await stack.deadLetters(topic, number);
    expect(letters.length).toBeGreaterThanOrEqual(GARBAGE);
    const counts = new Map<string, number>();
    for (const { error_code, error_detail } of letters) {
      expect(error_detail.length).toBeGreaterThan(5);
      counts.set(error_code, (counts.get(error_code) ?? 0) + 1);
    }
    return counts;
  });
}

describe("1,000 garbage and half-valid messages", () => {
  it("on carriers.calls are dead-lettered with reasons, and the valid calls among them are published", async () => {
    const number = await stack.newNumber(owner);
    const broken: Partial<CallUpdate>[] = [
      { phone_number: stack.product.newNumber() },
      { phone_number: number, kind: "unrecognized" },
      { phone_number: number, stage: null },
      { phone_number: number, ...ENDED },
      { phone_number: number, kind: "missed" },
      { phone_number: "nonsense" },
      { phone_number: number, call_id: "" },
      { phone_number: number, from: "x".repeat(300) },
      { phone_number: number, to: "\0" },
      { phone_number: `${number}\0` },
      { phone_number: number, provider: "" },
      { phone_number: number, provider: "nobody" },
    ];
    const values = broken.map((fields) =>
      stack.codec.encode("carriers.calls", buildCallUpdate(fields)),
    );
    await publishGarbage("carriers.calls", number, values);
    await stack.publishCalls([buildCallUpdate({ phone_number: number })]);
    const codes = await codesOf("carriers.calls", number);
    expect([...codes.keys()].sort()).toEqual([
      "provider_mismatch",
      "rule_broken",
      "undecodable",
      "unknown_number",
    ]);
    expect(codes.get("undecodable")).toBe(GARBAGE / 2);
    await eventually(async () => {
      expect(await stack.events(owner, "&type=call.forwarded")).toHaveLength(1);
    });
  });

  it("on carriers.port-outs are dead-lettered with reasons, and the valid requests among them become port-outs", async () => {
    const number = await stack.newNumber(owner);
    const phone_numbers = [number];
    const broken: Partial<PortOutUpdate>[] = [
      {},
      { phone_numbers: ["nonsense"] },
      { phone_numbers: [number, number] },
      { phone_numbers, provider: "nobody" },
      { phone_numbers, kind: "unrecognized" },
      { phone_numbers, kind: "completed" },
      { phone_numbers, requested_foc: "soon" },
      { phone_numbers, foc_at: "2026-13-01" },
      { phone_numbers, gaining_carrier: "" },
      { phone_numbers, update_id: "" },
      { phone_numbers, port_out_ref: "\0" },
      { phone_numbers, attempted_pin: "9".repeat(300) },
      { phone_numbers, occurred_at: -1 },
    ];
    const values = broken.map((fields) =>
      stack.codec.encode("carriers.port-outs", buildPortOutUpdate(fields)),
    );
    await publishGarbage("carriers.port-outs", number, values);
    const asked = buildPortOutUpdate({ phone_numbers });
    await stack.publishPortOut(asked);
    await stack.publishPortOut({ ...asked, gaining_carrier: "Somebody else" });
    await eventually(async () => {
      const codes = await codesOf("carriers.port-outs", number);
      expect([...codes.keys()].sort()).toEqual([
        "provider_mismatch",
        "rule_broken",
        "undecodable",
        "unknown_port_out",
        "update_conflict",
      ]);
      expect(codes.get("undecodable")).toBe(GARBAGE / 2);
    });
    await eventually(async () => {
      const events = await stack.events(owner, "&type=port_out.created");
      expect(events).toHaveLength(1);
    });
  });
});
