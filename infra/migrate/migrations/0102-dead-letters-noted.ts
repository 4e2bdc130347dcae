import type { MigrationInterface, QueryRunner } from "typeorm";

/** Consumers that may not write timelines note there that a message about an order was dead-lettered. */
export class DeadLettersNoted1700000000102 implements MigrationInterface {
  name = "DeadLettersNoted1700000000102";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("drop function orders.note_dead_letter");
  }
}

// Does nothing where there is no such order. The desk alone sees the entry.
const UP = `
create function orders.note_dead_letter(note_id uuid, of_order uuid, noted_at timestamptz, letter jsonb) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into orders.timeline (id, order_id, account_id, at, kind, actor, data, internal)
  select note_id, o.id, o.account_id, noted_at, 'ignored', '{"type": "system", "id": null, "name": null}',
    jsonb_build_object('dead_letter', letter), true
  from orders.porting_orders o where o.id = of_order
$$;
`;
