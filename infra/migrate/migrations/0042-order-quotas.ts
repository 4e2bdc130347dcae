import type { MigrationInterface, QueryRunner } from "typeorm";

/** What an account uses of its quotas of drafts and open numbers, for the statement that creates orders. */
export class OrderQuotas1700000000042 implements MigrationInterface {
  name = "OrderQuotas1700000000042";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop function orders.quota_used");
  }
}

/**
 * Counts no further than each quota; 0 is none. Near a quota, nearer than what the account can create at once, its
 * creations take turns, so that together they do not exceed it. A volatile function counts again what has been
 * committed meanwhile, in the midst of the statement that calls it.
 */
const UP = `
create function orders.quota_used(account uuid, new_drafts bigint, new_numbers bigint,
  max_drafts integer, max_numbers integer, out drafts bigint, out numbers bigint)
language plpgsql volatile as $$
declare
  drafts_at_once constant integer := 100;
  numbers_at_once constant integer := 20000;
begin
  for pass in 1..2 loop
    select count(*) into drafts from (select from orders.porting_orders o
      where o.account_id = account and o.status = 'draft' and o.deleted_at is null limit max_drafts) one;
    select count(*) into numbers from (select from orders.order_numbers n
      where n.account_id = account and n.live limit max_numbers) one;
    exit when pass = 2;
    exit when (max_drafts = 0 or drafts + new_drafts + drafts_at_once <= max_drafts)
      and (max_numbers = 0 or numbers + new_numbers + numbers_at_once <= max_numbers);
    perform pg_advisory_xact_lock(hashtextextended('order quotas ' || account, 0));
  end loop;
end
$$;
`;
