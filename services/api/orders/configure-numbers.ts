import {
  storedConfiguration,
  type NumberConfiguration,
  type ShownConfiguration,
} from "../../domain/number/rules/number-settings.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import type { CustomerCommand } from "../../domain/order/store/order-commands.ts";
import { writeConfigurations } from "../../domain/order/store/number-configuration.ts";
import {
  inTransaction,
  OpenTransaction,
  type Database,
  type Queryable,
} from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { AccountPrincipal } from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { withDefaults } from "../numbers/defaults.ts";
import { configurationFaults, hasPin, refusePinInPortal } from "../numbers/settings.ts";

type ConfiguringDeps = Pick<ApiDeps, "box" | "providers">;

/** @throws `validation_failed`; `forbidden` for a PIN from the portal */
export function requireConfigurable(
  configuration: NumberConfiguration | null | undefined,
  phoneNumbers: readonly string[],
  principal: AccountPrincipal,
): void {
  if (configuration == null) return;
  refusePinInPortal(principal, hasPin(configuration));
  const faults = configurationFaults(configuration, phoneNumbers);
  if (faults.length === 0) return;
  throw new AppError("validation_failed", "The numbers cannot be configured this way.", { faults });
}

/** Replaces what waits for the numbers of these orders; null removes it. Returns what is shown of it, by order. */
export async function configureNumbers(
  tx: Queryable,
  deps: ConfiguringDeps,
  {
    orders,
    given,
  }: { readonly orders: readonly Order[]; readonly given: NumberConfiguration | null },
): Promise<ReadonlyMap<string, ShownConfiguration>> {
  const stored = orders.map((order) => ({
    order,
    ...(given === null ? { shown: null, pins: [] } : storedConfiguration(deps, order, given)),
  }));
  await writeConfigurations(tx, {
    orders: stored.map(({ order, shown }) => ({ order_id: order.id, configuration: shown })),
    pins: stored.flatMap(({ order, pins }) =>
      pins.map(({ phone_number, sealed }) => ({
        order_id: order.id,
        phone_number,
        port_out_pin: sealed.bytes,
        port_out_pin_key_id: sealed.keyId,
      })),
    ),
  });
  return new Map(
    stored.flatMap(({ order, shown }) => (shown === null ? [] : [[order.id, shown] as const])),
  );
}

/** What else a change of an order writes that configures its numbers. */
export function alsoConfigure(
  deps: ConfiguringDeps,
  principal: AccountPrincipal,
  given: NumberConfiguration | null | undefined,
): CustomerCommand["also"] {
  if (given === undefined) return undefined;
  return async (tx, _, order) => {
    const numbers = order.numbers.map((number) => number.phone_number);
    requireConfigurable(given, numbers, principal);
    const whole = given === null ? null : await withDefaults(tx, principal, given, numbers);
    await configureNumbers(tx, deps, { orders: [order], given: whole });
  };
}

interface Configured<T> {
  readonly made: T;
  /** What is shown of the configuration, by order. */
  readonly configured: ReadonlyMap<string, ShownConfiguration>;
}

/** Orders and their configuration are stored together or not at all; without one, as they would be alone. */
export async function createConfigured<
  T extends { readonly orders: readonly Order[] } | { readonly faults: object },
>(
  deps: ConfiguringDeps,
  { db, given }: { readonly db: Database; readonly given: NumberConfiguration | undefined },
  create: (db: Database) => Promise<T>,
): Promise<Configured<T>> {
  if (given === undefined) return { made: await create(db), configured: new Map() };
  return inTransaction(db, async (tx) => {
    const open = tx instanceof OpenTransaction ? tx : new OpenTransaction(tx);
    const made = await create(open);
    const orders = "orders" in made ? made.orders : [];
    return { made, configured: await configureNumbers(open, deps, { orders, given }) };
  });
}
