import { beforeAll, describe, expect, it } from "@jest/globals";
import { dataOf } from "../../support/http/call.ts";
import { startTestApi, type TestApi } from "../../support/product/test-api.ts";

const DEFAULTS = "/v2/number_defaults";
const FORWARDING = { primary: "+12125550199", fallback: null };

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

async function configurationOf(phone_numbers: readonly string[], number_configuration?: object) {
  const body = { phone_numbers, ...(number_configuration && { number_configuration }) };
  const made = await api.call("POST", "/v2/porting_orders", body);
  expect([made.status, made.body?.["errors"]]).toEqual([201, undefined]);
  return dataOf(made)[0]?.["number_configuration"];
}

describe("what an account sets for the numbers of its next orders", () => {
  it("is nothing at first, and each part is set and removed by itself", async () => {
    const nothing = { forwarding: null, port_out_lock: false, updated_at: null };
    expect((await api.call("GET", DEFAULTS)).body).toEqual(nothing);
    expect(await configurationOf([api.product.newNumber()])).toBeNull();
    await api.call("PATCH", DEFAULTS, { port_out_lock: true });
    const set = await api.call("PATCH", DEFAULTS, { forwarding: { primary: FORWARDING.primary } });
    expect(set.body).toMatchObject({ forwarding: FORWARDING, port_out_lock: true });
    const { body } = await api.call("PATCH", DEFAULTS, { forwarding: null });
    expect(body).toMatchObject({ forwarding: null, port_out_lock: true });
    expect((await api.call("GET", DEFAULTS)).body).toEqual(body);
    for (const wrong of [{ port_out_lock: "no" }, { port_out_pin: "4711" }, { forwarding: {} }]) {
      expect((await api.call("PATCH", DEFAULTS, wrong)).status).toBe(422);
    }
    expect((await api.call("GET", DEFAULTS)).body).toEqual(body);
  });

  it("is in each order that is created, but for what that says itself", async () => {
    await api.call("PATCH", DEFAULTS, { forwarding: FORWARDING, port_out_lock: true });
    const forwarding = { ...FORWARDING, handled_by: "carrier" };
    const usual = { forwarding, port_out_lock: true };
    const [one, other] = [api.product.newNumber(), api.product.newNumber()];
    expect(await configurationOf([one])).toMatchObject({ default: usual, numbers: {} });
    const own = { default: { port_out_lock: false, tags: ["sales"] } };
    expect(await configurationOf([other], own)).toMatchObject({
      default: { ...usual, ...own.default },
    });
  });

  it("forwards no number to itself", async () => {
    const target = api.product.newNumber();
    await api.call("PATCH", DEFAULTS, { forwarding: { primary: target }, port_out_lock: false });
    expect(await configurationOf([target, api.product.newNumber()])).toMatchObject({
      default: { forwarding: { primary: target } },
      numbers: { [target]: { forwarding: null } },
    });
  });

  it("is its account's alone, and audited without the numbers", async () => {
    const other = await startTestApi();
    expect((await other.call("GET", DEFAULTS)).body).toMatchObject({ updated_at: null });
    const { rows } = await api.database.query<{ after: unknown }>(
      "select after from accounts.audit_log where action = 'number_defaults.changed' and account_id = $1",
      [api.account],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain("+1212");
  });
});
