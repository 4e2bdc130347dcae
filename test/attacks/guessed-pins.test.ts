import { beforeAll, describe, expect, it } from "@jest/globals";
import { dataOf } from "../support/http/call.ts";
import { eventually } from "../support/eventually.ts";
import {
  buildPortOutUpdate,
  openNumberStack,
  type NumberStack,
  type Owner,
} from "../support/orders/number-stack.ts";

const PIN = "483920";

let stack: NumberStack;
let owner: Owner;

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
});

/** A number of the owner's with the PIN. */
async function guardedNumber(): Promise<string> {
  const number = await stack.newNumber(owner);
  const path = `/numbers/${encodeURIComponent(number)}`;
  expect((await owner.api("PATCH", path, { port_out_pin: PIN })).status).toBe(200);
  return number;
}

/** Requests the number with a PIN, and returns what becomes of the request. */
async function guess(phoneNumber: string, attempted_pin: string | null): Promise<unknown> {
  const port_out_ref = crypto.randomUUID();
  const asked = { phone_numbers: [phoneNumber], port_out_ref, attempted_pin };
  await stack.publishPortOut(buildPortOutUpdate(asked));
  return eventually(async () => {
    const { rows } = await stack.database.query<{ result: string }>(
      `select coalesce(decision ->> 'code', status) as result from orders.port_outs
        where port_out_ref = $1`,
      [port_out_ref],
    );
    if (rows[0] === undefined) throw new Error("not received yet");
    return rows[0].result;
  });
}

function locksOf(phoneNumber: string): Promise<Record<string, unknown>[]> {
  const path = `/audit?account_id=${owner.accountId}&action=number.pin_locked`;
  return stack
    .desk("GET", path)
    .then((answer) =>
      dataOf(answer).filter((row) => JSON.stringify(row["after"]).includes(phoneNumber)),
    );
}

describe("a carrier that guesses a number's PIN", () => {
  it("has five wrong guesses a day: with the sixth the number is locked, also for the right PIN", async () => {
    const number = await guardedNumber();
    for (const wrong of ["000000", "000001", "000002", "000003", "000004"]) {
      expect(await guess(number, wrong)).toBe("pin_invalid");
    }
    expect(await guess(number, null)).toBe("pin_missing");
    expect(await locksOf(number)).toEqual([]);
    expect(await guess(number, "000005")).toBe("port_locked");
    for (const later of [PIN, "000006", null]) {
      expect(await guess(number, later)).toBe("port_locked");
    }
    expect(await locksOf(number)).toMatchObject([
      { actor_type: "system", operator: null, after: { phone_number: number, wrong_pins: 6 } },
    ]);
  });

  it("can guess again when a day has passed, and the right PIN then passes", async () => {
    const number = await guardedNumber();
    for (let wrong = 0; wrong < 6; wrong += 1) await guess(number, `10000${wrong}`);
    expect(await guess(number, PIN)).toBe("port_locked");
    // Simulates the day.
    await stack.database.query(
      `update orders.numbers set pin_locked_until = pin_locked_until - interval '24 hours',
        wrong_pins = array(select at - interval '24 hours' from unnest(wrong_pins) at)
        where phone_number = $1`,
      [number],
    );
    expect(await guess(number, "999999")).toBe("pin_invalid");
    expect(await guess(number, PIN)).toBe("decision_required");
  });

  it("counts for that number alone, and also where it is asked for among others", async () => {
    const [number, other] = [await guardedNumber(), await guardedNumber()];
    for (let wrong = 0; wrong < 5; wrong += 1) await guess(number, `20000${wrong}`);
    const port_out_ref = crypto.randomUUID();
    const asked = { phone_numbers: [other, number], port_out_ref, attempted_pin: "200005" };
    await stack.publishPortOut(buildPortOutUpdate(asked));
    await eventually(async () => expect(await locksOf(number)).toHaveLength(1));
    expect(await guess(number, PIN)).toBe("port_locked");
    expect(await guess(other, PIN)).toBe("decision_required");
  });
});
