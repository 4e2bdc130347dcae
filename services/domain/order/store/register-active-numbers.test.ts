import { expect, it } from "@jest/globals";
import type { QueryConfig } from "pg";
import { orderIn, T0 } from "../../../../test/support/orders/order-factory.ts";
import type { MessageWriter } from "../../../messages/bus/outgoing.ts";
import type { OrderDecision } from "../rules/order-decision.ts";
import { registerActiveNumbers } from "./register-active-numbers.ts";

it("the account's numbers have the times at which the carrier activated them", async () => {
  const values = new Map<string | undefined, unknown[] | undefined>();
  const query = (statement: QueryConfig) => {
    values.set(statement.name, statement.values);
    return Promise.resolve({ rows: [] });
  };
  const effects = [1, 2].map((hours) => ({
    effect: "number_active" as const,
    phone_number: `+1212555123${hours}`,
    activated_at: new Date(T0.getTime() - hours * 3_600_000),
  }));
  const decision: OrderDecision = { order: orderIn("completed"), effects };
  await registerActiveNumbers({ tx: { query } } as unknown as MessageWriter, decision, T0);
  expect(values.get("number-register")?.slice(-2)).toEqual([
    effects.map((one) => one.phone_number),
    effects.map((one) => one.activated_at),
  ]);
});
