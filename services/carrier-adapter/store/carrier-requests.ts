import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { PlatformNumber } from "../../domain/number/rules/platform-number.ts";

export interface SentRequest {
  readonly request_id: string;
  /** Null for a request about a number. */
  readonly order_id: string | null;
  readonly request_version: number | null;
  readonly provider: string;
  readonly kind: string;
  readonly sent_at: Date;
}

/**
 * Records a request to a carrier and returns when it was first made: a request that is sent again keeps its row.
 * @throws `rule_broken` for an id that is not a UUID
 */
export async function recordRequest(tx: Queryable, request: SentRequest): Promise<Date> {
  if (!isUuid(request.request_id)) throw new AppError("rule_broken", "A request_id is a UUID.");
  const [first] = await queryRows<{ sent_at: Date }>(tx, {
    name: "carrier-request-record",
    text: `with made as (
        insert into carriers.requests (request_id, order_id, request_version, provider, kind, sent_at)
        values ($1, $2, $3, $4, $5, $6) on conflict (request_id) do nothing returning sent_at
      )
      select sent_at from made union all select sent_at from carriers.requests where request_id = $1`,
    values: [
      request.request_id,
      request.order_id,
      request.request_version,
      request.provider,
      request.kind,
      request.sent_at,
    ],
  });
  return first?.sent_at ?? request.sent_at;
}

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
