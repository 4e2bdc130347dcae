import { beforeAll, describe, expect, it } from "@jest/globals";
import { dataOf, textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import {
  answerOf,
  answersOf,
  buildPortOutUpdate,
  openNumberStack,
  portOutOf,
  type NumberStack,
  type Owner,
} from "../../support/orders/number-stack.ts";

let stack: NumberStack;
let owner: Owner;

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
});

async function statusesOf(portOutId: unknown): Promise<unknown[]> {
  const events = await stack.events(owner);
  return events
    .filter((event) => JSON.stringify(event["payload"]).includes(String(portOutId)))
    .map((event) => {
      const payload = event["payload"] as Record<string, unknown>;
      return [event["type"], payload["new_status"] ?? payload["phone_number"] ?? null];
    });
}

describe("a port-out", () => {
  it("is requested, approved, answered and completed, and its numbers leave", async () => {
    const number = await stack.newNumber(owner);
    const asked = buildPortOutUpdate({ phone_numbers: [number] });
    await stack.publishPortOut(asked);
    const waiting = await portOutOf(owner, number, "decision_required");
    expect(waiting).toEqual({
      id: expect.any(String),
      phone_numbers: [number],
      status: "decision_required",
      gaining_carrier: "Other Telecom",
      requested_foc: "2026-12-20T10:00:00+01:00",
      foc_actual: null,
      requester: null,
      decision_deadline: expect.any(String),
      decision: null,
      provider_status: "requested",
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const hoursLeft = (Date.parse(String(waiting["decision_deadline"])) - Date.now()) / 3_600_000;
    expect(hoursLeft).toBeGreaterThan(23.9);
    expect(hoursLeft).toBeLessThanOrEqual(24);

    const approved = await owner.api("POST", `/port_outs/${String(waiting["id"])}/approve`, {});
    expect(approved.body).toMatchObject({
      status: "approved",
      decision: { by: "customer", code: null, reason: null },
      decision_deadline: null,
    });
    expect((await owner.api("GET", `/numbers/${number}`)).body?.["status"]).toBe("porting_out");
    expect(await answerOf(stack, asked.port_out_ref)).toMatchObject({
      provider: "sandbox",
      kind: "port_out_decision",
      phone_numbers: [number],
      order_id: null,
      port_out: { port_out_ref: asked.port_out_ref, approved: true, code: null, reason: null },
    });
    const foc_at = "2026-12-21T10:00:00+01:00";
    const update_id = crypto.randomUUID();
    const completion = { ...asked, update_id, foc_at, kind: "completed" } as const;
    await stack.publishPortOut(completion);
    await stack.publishPortOut(completion);
    const done = await portOutOf(owner, number, "ported_out");
    expect(done).toMatchObject({ foc_actual: foc_at, provider_status: "completed" });
    expect((await owner.api("GET", `/numbers/${number}`)).body?.["status"]).toBe("ported_out");
    await eventually(async () =>
      expect(await statusesOf(waiting["id"])).toEqual([
        ["port_out.created", null],
        ["port_out.status_changed", "decision_required"],
        ["port_out.status_changed", "approved"],
        ["number.ported_out", number],
      ]),
    );
  });

  it("that was rejected and completed all the same alerts the desk", async () => {
    const number = await stack.newNumber(owner);
    const locked = await owner.api("PATCH", `/numbers/${number}`, { port_out_lock: true });
    expect(locked.status).toBe(200);
    const asked = buildPortOutUpdate({ phone_numbers: [number] });
    await stack.publishPortOut(asked);
    const { id } = await portOutOf(owner, number, "rejected");
    const alertsOf = async () => {
      const all = (await stack.desk("GET", "/alerts")).body?.["alerts"];
      return (all as { port_out_id: unknown }[]).filter((one) => one.port_out_id === id);
    };
    expect(await alertsOf()).toEqual([]);
    const update_id = crypto.randomUUID();
    await stack.publishPortOut({ ...asked, update_id, kind: "completed" });
    await portOutOf(owner, number, "ported_out");
    expect(await alertsOf()).toMatchObject([
      { kind: "port_out", order_id: null, account: { id: owner.accountId }, has_case: false },
    ]);
  });

  it("is decided at the desk and audited; another account's is not found", async () => {
    const number = await stack.newNumber(owner);
    const path = `/sandbox/port_outs`;
    const asked = await stack.desk("POST", path, {
      phone_numbers: [number],
      gaining_carrier: "Other Telecom",
      requested_foc: "2026-12-20T10:00:00+01:00",
    });
    expect(asked.status).toBe(202);
    const ref = textOf(asked, "port_out_ref");
    const waiting = await portOutOf(owner, number, "decision_required");
    const stranger = await stack.newOwner();
    for (const [method, at] of [
      ["GET", ""],
      ["POST", "/approve"],
    ] as const) {
      const answer = await stranger.api(method, `/port_outs/${String(waiting["id"])}${at}`);
      expect(answer.status).toBe(404);
    }
    const approved = await stack.desk("POST", `/port_outs/${String(waiting["id"])}/approve`);
    expect(approved.body).toMatchObject({ status: "approved", decision: { by: "ops" } });
    const again = await stack.desk("POST", `/port_outs/${String(waiting["id"])}/reject`, {
      code: "port_locked",
    });
    expect([again.status, again.body?.["code"]]).toEqual([409, "invalid_state"]);
    const [entry] = dataOf(await stack.desk("GET", `/audit?account_id=${owner.accountId}&limit=1`));
    expect(entry).toMatchObject({
      action: "port_out.approved",
      account_id: owner.accountId,
      before: { status: "decision_required" },
      after: { status: "approved" },
    });
    expect((await stack.desk("POST", `${path}/${ref}/cancel`)).status).toBe(202);
    await portOutOf(owner, number, "cancelled");
    expect((await owner.api("GET", `/numbers/${number}`)).body?.["status"]).toBe("active");
    expect((await stack.desk("POST", `${path}/${crypto.randomUUID()}/cancel`)).status).toBe(404);
  });

  // (docs/contract/desk-api.md, Desk API: operators' side, served by desk)
  it("is rejected at the desk with a code, which the carrier gets and the audit log has", async () => {
    const number = await stack.newNumber(owner);
    const asked = buildPortOutUpdate({ phone_numbers: [number] });
    await stack.publishPortOut(asked);
    const { id } = await portOutOf(owner, number, "decision_required");
    const reject = { code: "account_number_invalid", reason: "Asked by phone." };
    const rejected = await stack.desk("POST", `/port_outs/${String(id)}/reject`, reject);
    const decision = { by: "ops", ...reject };
    expect(rejected.body).toMatchObject({ status: "rejected", decision });
    const seen = await owner.api("GET", `/port_outs/${String(id)}`);
    expect(seen.body).toMatchObject({ status: "rejected", decision });
    expect((await answerOf(stack, asked.port_out_ref))?.port_out).toMatchObject({
      approved: false,
      ...reject,
    });
    const rejections = `action=port_out.rejected&account_id=${owner.accountId}&limit=1`;
    const [entry] = dataOf(await stack.desk("GET", `/audit?${rejections}`));
    expect(entry).toMatchObject({
      account_id: owner.accountId,
      operator: { id: expect.any(String), name: expect.any(String) },
      before: { status: "decision_required" },
      after: { status: "rejected" },
    });
  });

  it("has one winner among 50 customers' approvals and rejections", async () => {
    const number = await stack.newNumber(owner);
    const asked = buildPortOutUpdate({ phone_numbers: [number] });
    await stack.publishPortOut(asked);
    const { id } = await portOutOf(owner, number, "decision_required");
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0
          ? owner.api("POST", `/port_outs/${String(id)}/approve`)
          : owner.api("POST", `/port_outs/${String(id)}/reject`, {
              code: "invalid_request",
            }),
      ),
    );
    const won = answers.filter((answer) => answer.status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(49);
    const status = won[0]?.body?.["status"];
    await eventually(async () => {
      const moves = (await statusesOf(id)).slice(2);
      expect(moves).toEqual([["port_out.status_changed", status]]);
    });
    await eventually(async () =>
      expect(await answersOf(stack, asked.port_out_ref)).toHaveLength(1),
    );
  });

  it("refuses invalid decisions", async () => {
    const number = await stack.newNumber(owner);
    await stack.publishPortOut(buildPortOutUpdate({ phone_numbers: [number] }));
    const waiting = await portOutOf(owner, number, "decision_required");
    for (const [id, refusal] of [
      [waiting["id"], [422, "validation_failed"]],
      [crypto.randomUUID(), [404, "not_found"]],
    ]) {
      const bad = await owner.api("POST", `/port_outs/${String(id)}/reject`, { code: "because" });
      expect([bad.status, bad.body?.["code"]]).toEqual(refusal);
    }
    await portOutOf(owner, number, "decision_required");
    expect((await owner.api("GET", "/port_outs?status=gone")).status).toBe(400);
    expect((await owner.api("GET", "/port_outs/none")).status).toBe(404);
  });

  it("is listed at the desk by its deadline, the most urgent first", async () => {
    const other = await stack.newOwner();
    const numbers = [await stack.newNumber(other), await stack.newNumber(other)];
    for (const number of [...numbers].reverse()) {
      await stack.publishPortOut(buildPortOutUpdate({ phone_numbers: [number] }));
      await portOutOf(other, number, "decision_required");
    }
    const decided = await stack.newNumber(other);
    await stack.publishPortOut(buildPortOutUpdate({ phone_numbers: [decided] }));
    const closed = await portOutOf(other, decided, "decision_required");
    await other.api("POST", `/port_outs/${String(closed["id"])}/approve`, {});
    const path = `/port_outs?account_id=${other.accountId}&order_by=deadline`;
    const numbersOf = async (query: string) =>
      dataOf(await stack.desk("GET", path + query)).map((one) => one["phone_numbers"]);
    const [second, first] = numbers;
    expect(await numbersOf("")).toEqual([[first], [second]]);
    expect(await numbersOf("&order=desc")).toEqual([[second], [first]]);
    const [urgent] = dataOf(await stack.desk("GET", `${path}&limit=1`));
    expect(await numbersOf(`&limit=1&starting_after=${String(urgent?.["id"])}`)).toEqual([
      [second],
    ]);
    const [later] = dataOf(await stack.desk("GET", `${path}&order=desc`));
    const before = encodeURIComponent(String(later?.["decision_deadline"]));
    expect(await numbersOf(`&deadline_before=${before}`)).toEqual([[first]]);
    const gone = await stack.desk("GET", `${path}&starting_after=${String(closed["id"])}`);
    expect(gone.status).toBe(400);
  });
});
