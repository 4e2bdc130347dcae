import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { PlatformNumber } from "../../domain/number/rules/platform-number.ts";

/** Where a number is hosted and where its calls go. */
export type HostedNumber = Pick<PlatformNumber, "provider" | "forwarding">;

/** The number of its present account; null where no account has it. */
export async function readHostedNumber(
  db: Queryable,
  phoneNumber: string,
): Promise<HostedNumber | null> {
  const [row] = await queryRows<HostedNumber>(db, {
    name: "number-hosted",
    text: `select provider, forwarding from orders.numbers
      where phone_number = $1 and status <> 'ported_out'`,
    values: [phoneNumber],
  });
  return row ?? null;
}
