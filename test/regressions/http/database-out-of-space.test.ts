import { expect, it } from "@jest/globals";
import { startTestApi } from "../../support/product/test-api.ts";

const ORDERS = "/v2/porting_orders";

it("a write that the database has no space for is answered 503 with Retry-After, until there is space", async () => {
  const api = await startTestApi({});
  await api.database.query(`
    create function public.refuse_for_space() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end
    $$;
    create trigger out_of_space before insert on messaging.outbox
      for each statement execute function public.refuse_for_space();`);
  const refused = await api.call("POST", ORDERS, { phone_numbers: ["+12125558101"] });
  expect([refused.status, refused.body?.["code"]]).toEqual([503, "unavailable"]);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await api.call("GET", ORDERS)).status).toBe(200);

  await api.database.query("drop trigger out_of_space on messaging.outbox");
  const accepted = await api.call("POST", ORDERS, { phone_numbers: ["+12125558101"] });
  expect(accepted.status).toBe(201);
});
