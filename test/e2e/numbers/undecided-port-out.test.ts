/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Supervisor } from "../../../infra/start/supervisor/supervisor.ts";
import { dataOf, textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import {
  buildPortOutUpdate,
  openNumberStack,
  type NumberStack,
  type Owner,
} from "../../support/orders/number-stack.ts";
import { buildCallUpdate } from "../../support/carriers/call-update-factory.ts";

const DECISION_S = 3;

let stack: NumberStack;
let owner: Owner;
let supervisor: Supervisor;

beforeAll(async () => {
  const opened = await openNumberStack({
    env: {
      DEADLINE_POLL: "50ms",
      PORT_OUT_DECISION_HOURS: (DECISION_S / 3_600).toFixed(9),
    },
  });
  stack = opened;
  supervisor = opened.product.supervisor;
  owner = await stack.newOwner();
});

async function requestPortOut(number: string): Promise<string> {
  const asked = await stack.desk("POST", "/sandbox/port_outs", {
    phone_numbers: [number],
    gaining_carrier: "Other Telecom",
    requested_foc: "2026-12-20T10:00:00+01:00",
  });
  return textOf(asked, "port_out_ref");
}

async function portOutOf(number: string, statuses: readonly string[], deadlineMs?: number) {
  return eventually(async () => {
    const path = `/port_outs?phone_number=${encodeURIComponent(number)}`;
    const [found] = dataOf(await owner.api("GET", path));
    expect(statuses).toContain(found?.["status"]);
    return found ?? {};
  }, deadlineMs);
}

/** The statuses of each port-out in the feed, which must be an unbroken chain. */
async function chains(): Promise<Map<string, string[]>> {
  const chains = new Map<string, string[]>();
  for (let after = "", more = true; more;) {
    const events = await stack.events(owner, after);
    for (const event of events.filter((one) => one["type"] === "port_out.status_changed")) {
      const move = event["payload"] as Record<string, unknown>;
      const { id } = move["port_out"] as { id: string };
      const chain = chains.get(id) ?? ["requested"];
      expect(move["previous_status"]).toBe(chain.at(-1));
      chains.set(id, [...chain, String(move["new_status"])]);
    }
    more = events.length === 250;
    after = `&starting_after=${String(events.at(-1)?.["id"])}`;
  }
  return chains;
}

describe("a port-out without a decision", () => {
  it("proceeds at its deadline: published, answered, completed", async () => {
    const number = await stack.newNumber(owner);
    const ref = await requestPortOut(number);
    const expired = await portOutOf(number, ["expired"]);
    expect(expired).toMatchObject({ decision: null, decision_deadline: null });
    const { body } = await owner.api("GET", `/numbers/${number}`);
    expect(body?.["status"]).toBe("porting_out");
    await eventually(async () => {
      const answers = (await stack.requests()).filter((one) => one.port_out?.port_out_ref === ref);
      expect(answers).toMatchObject([{ port_out: { approved: true, code: null } }]);
    });
    const late = await owner.api("POST", `/port_outs/${String(expired["id"])}/approve`);
    expect(late.status).toBe(409);
    await stack.desk("POST", `/sandbox/port_outs/${ref}/complete`);
    await portOutOf(number, ["ported_out"]);
    await eventually(async () => {
      const [left] = await stack.events(owner, "&type=number.ported_out");
      expect(left?.["payload"]).toEqual({
        phone_number: number,
        port_out_id: expired["id"],
        gaining_carrier: "Other Telecom",
        ported_out_at: expect.any(String),
      });
    });
  });

  it("has one winner where a decision meets the deadline", async () => {
    const numbers = await Promise.all(Array.from({ length: 24 }, () => stack.newNumber(owner)));
    await Promise.all(numbers.map((number) => requestPortOut(number)));
    const answers = await Promise.all(
      numbers.map(async (number, n) => {
        const { id, decision_deadline } = await portOutOf(number, ["decision_required"]);
        const dueAt = Date.parse(String(decision_deadline));
        // Some a little before the deadline, some a little after.
        await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual(dueAt - 40 + 4 * n));
        const answer =
          n % 2 === 0
            ? await owner.api("POST", `/port_outs/${String(id)}/approve`)
            : await owner.api("POST", `/port_outs/${String(id)}/reject`, {
                code: "invalid_request",
              });
        return { id: String(id), number, answer };
      }),
    );
    const published = await eventually(async () => {
      const found = await chains();
      for (const { id } of answers) expect(found.get(id)).toHaveLength(3);
      return found;
    });
    for (const { id, number, answer } of answers) {
      expect([200, 409]).toContain(answer.status);
      const status = answer.status === 200 ? answer.body?.["status"] : "expired";
      expect(published.get(id)).toEqual(["requested", "decision_required", status]);
      await portOutOf(number, [String(status)]);
    }
  });
});

describe("port-outs and calls", () => {
  it("are neither lost nor repeated while their services are killed", async () => {
    const numbers = await Promise.all(Array.from({ length: 30 }, () => stack.newNumber(owner)));
    const kill = (name: "order-lifecycle" | "carrier-adapter" | "outbox-relay"): void => {
      supervisor.service(name).program.kill("SIGKILL");
    };
    for (const [n, number] of numbers.entries()) {
      await stack.publishPortOut(
        buildPortOutUpdate({ phone_numbers: [number], port_out_ref: `kill/${number}` }),
      );
      await stack.publishCalls([
        buildCallUpdate({ phone_number: number, call_id: `1/${number}` }),
        buildCallUpdate({
          phone_number: number,
          call_id: `1/${number}`,
          kind: "missed",
          reason: "busy",
        }),
      ]);
      if (n === 8 || n === 22) kill("carrier-adapter");
      if (n === 12) kill("order-lifecycle");
      if (n === 16) kill("outbox-relay");
    }
    const expired = await Promise.all(
      numbers.map(async (number) => portOutOf(number, ["expired"], 60_000)),
    );
    await eventually(async () => {
      const found = await chains();
      for (const { id } of expired) {
        expect(found.get(String(id))).toEqual(["requested", "decision_required", "expired"]);
      }
      const answers = (await stack.requests()).filter((one) =>
        one.port_out?.port_out_ref.startsWith("kill/"),
      );
      expect(answers.map((one) => one.phone_numbers?.[0]).sort()).toEqual(numbers.toSorted());
    });
    await eventually(async () => {
      for (const [type, query] of [
        ["call.forwarded", "&type=call.forwarded"],
        ["call.missed", "&type=call.missed"],
      ] as const) {
        const calls = await stack.events(owner, query);
        const of = calls.map((one) => (one["payload"] as Record<string, unknown>)["phone_number"]);
        expect([type, of.toSorted()]).toEqual([type, numbers.toSorted()]);
      }
    });
  });
});
