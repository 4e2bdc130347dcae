import { boundValues } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { FREE, OPEN_CASES, filterConditions, type QueueFilter } from "./queue-filter.ts";

export interface NextClaim {
  readonly filter: QueueFilter;
  readonly operatorId: string;
  readonly now: Date;
  readonly until: Date;
}

export interface ClaimedCase {
  readonly order_id: string;
  readonly attempt: number;
  readonly account_id: string;
}

/**
 * Claims the free case that has waited longest, in one statement; null where there is none. A case that another
 * transaction holds is passed over, so that two operators never get the same and neither waits.
 */
export async function claimNextCase(
  tx: Queryable,
  { filter, operatorId, now, until }: NextClaim,
): Promise<ClaimedCase | null> {
  const { values, bind } = boundValues(now, operatorId, until);
  const [claimed] = await queryRows<ClaimedCase>(tx, {
    text: `with free as materialized (
        select c.order_id, c.attempt from ${OPEN_CASES} and ${FREE} ${filterConditions(filter, bind)}
        order by c.submitted_at, c.order_id limit 1 for update of c skip locked
      )
      update reviews.cases c set claimed_by = $2, claimed_until = $3, handover = null
      from free f where c.order_id = f.order_id and c.attempt = f.attempt
      returning c.order_id, c.attempt, c.account_id`,
    values,
  });
  return claimed ?? null;
}
