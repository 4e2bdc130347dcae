import { beforeAll, describe, expect, it } from "@jest/globals";
import { writeAudit } from "../../../services/domain/account/store/audit-log.ts";
import { inTransaction } from "../../../services/platform/db/transaction.ts";
import { dataOf } from "../../support/http/call.ts";
import { openAccountDesk, type AccountDesk } from "../../support/product/account-desk.ts";

const REASON = { reason: "unpaid" };
const ABSENT_ID = "01890000-0000-7000-8000-000000000000";

let desk: AccountDesk;

beforeAll(async () => {
  desk = await openAccountDesk();
});

describe("the audit log", () => {
  // (docs/contract/desk-api.md, Desk API: operators' side, served by desk)
  it("says who reinstated an account", async () => {
    const { id } = await desk.newAccount("Unpaid");
    await desk.ask(`/accounts/${id}/suspend`, "POST", REASON);
    await desk.ask(`/accounts/${id}/reinstate`, "POST", {});
    const { id: operatorId, name } = (await desk.ask("/me")).body ?? {};
    const [entry] = dataOf(await desk.ask(`/audit?account_id=${id}&limit=1`));
    expect(entry).toMatchObject({
      action: "account.reinstated",
      operator: { id: operatorId, name },
      before: { status: "suspended" },
      after: { status: "active" },
    });
  });

  it("records actor, action, time and account, with the values before and after", async () => {
    const { id } = await desk.newAccount("Audited");
    const began = new Date().toISOString();
    await desk.ask(`/accounts/${id}/suspend`, "POST", REASON);
    const me = await desk.ask("/me");
    const listed = await desk.ask(`/audit?account_id=${id}`);
    expect(dataOf(listed)).toMatchObject([
      {
        action: "account.suspended",
        operator: { id: me.body?.["id"], name: "First operator" },
        account_id: id,
        porting_order_id: null,
        before: { status: "active" },
        after: { status: "suspended", ...REASON },
      },
      { action: "account.created", before: null, after: { name: "Audited", status: "active" } },
    ]);
    const since = `created_after=${began}`;
    const bySince = await desk.ask(`/audit?account_id=${id}&${since}`);
    expect(dataOf(bySince)).toHaveLength(1);
    const [newest] = dataOf(bySince);
    const older = await desk.ask(
      `/audit?account_id=${id}&starting_after=${String(newest?.["id"])}`,
    );
    expect(dataOf(older).map((row) => row["action"])).toEqual(["account.created"]);
    const none = await desk.ask(`/audit?account_id=${id}&operator_id=${ABSENT_ID}`);
    expect(none.body).toEqual({ data: [], has_more: false });
    expect((await desk.ask(`/audit?starting_after=${ABSENT_ID}`)).status).toBe(400);
    expect((await desk.ask("/audit?account=x")).status).toBe(400);
  });

  it("is CSV where that is asked for, page by page", async () => {
    const { id } = await desk.newAccount('=Quoted, "CSV"');
    await desk.ask(`/accounts/${id}/suspend`, "POST", REASON);
    const asked = async (query: string, accept: string) => {
      const response = await fetch(`${desk.url}/desk/v1/audit?account_id=${id}${query}`, {
        headers: { Authorization: `Bearer ${desk.first.desk_token}`, Accept: accept },
      });
      return { headers: response.headers, status: response.status, text: await response.text() };
    };
    const csv = await asked("", "text/csv");
    expect(csv.status).toBe(200);
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(csv.headers.get("vary")).toContain("Accept");
    const [names, suspended, created, ...rest] = csv.text.split("\r\n");
    expect(names).toBe(
      "id,created_at,actor_type,api_key_id,operator_id,operator_name,action,account_id,porting_order_id,request_id,before,after",
    );
    expect(suspended).toContain(`,account.suspended,${id},`);
    expect(suspended).toMatch(
      /,"{""status"":""active""}","{""reason"":""unpaid"",""status"":""suspended""}"$/,
    );
    expect(created).toContain('""name"":""=Quoted, \\""CSV\\""""');
    expect(rest).toEqual([""]);
    const paged = await asked("&limit=1", "text/csv");
    expect(paged.text.trimEnd().split("\r\n")).toHaveLength(2);
    expect(paged.headers.get("link")).toContain("starting_after=");
    for (const accept of ["*/*", "application/json", "application/json, text/csv;q=0.5"]) {
      const { headers } = await asked("", accept);
      expect(headers.get("content-type")).toContain("application/json");
    }
    expect((await asked("", "text/html")).status).toBe(406);
  });

  it("finds actions on an order", async () => {
    const operator = { id: ABSENT_ID, name: "Ann" };
    const action = "porting_order.closed";
    await writeAudit(desk.pool, { at: new Date(), operator, action, portingOrderId: ABSENT_ID });
    const listed = await desk.ask(`/audit?porting_order_id=${ABSENT_ID}&operator_id=${ABSENT_ID}`);
    expect(dataOf(listed).map((row) => row["action"])).toEqual([action]);
  });

  it("cannot be changed", async () => {
    for (const text of [
      "update accounts.audit_log set action = 'x'",
      "delete from accounts.audit_log",
    ]) {
      await expect(desk.pool.query(text)).rejects.toThrow("append-only");
    }
  });

  it("is written together with its effect or not at all", async () => {
    const count = () =>
      desk.pool.query("select id from accounts.audit_log").then(({ rowCount }) => rowCount);
    const earlier = await count();
    const operator = { id: null, name: "nobody" };
    const rolledBack = inTransaction(desk.pool, async (tx) => {
      await writeAudit(tx, { at: new Date(), operator, action: "account.created" });
      throw new Error("changed my mind");
    });
    await expect(rolledBack).rejects.toThrow("changed my mind");
    expect(await count()).toBe(earlier);
  });
});
