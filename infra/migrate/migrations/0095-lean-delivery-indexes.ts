import type { MigrationInterface, QueryRunner } from "typeorm";
import type { PartitionedIndex } from "../prepared-indexes.ts";

/** Indexes of deliveries that hold one entry, or none, of a delivery that succeeds, where there were two wide ones. */
export class LeanDeliveryIndexes1700000000095 implements MigrationInterface {
  name = "LeanDeliveryIndexes1700000000095";

  async up(runner: QueryRunner): Promise<void> {
    for (const index of LEAN_DELIVERY_INDEXES) await runner.query(creationOf(index));
    await runner.query(DROP_FORMER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// Whether a delivery is in an index may depend on its status, but only where it is rare is the status a key: a key that
// changes makes a second entry, and neither the first nor its page is soon given back. The columns of the third are keys,
// because an index with included columns is never deduplicated.
export const LEAN_DELIVERY_INDEXES: readonly PartitionedIndex[] = [
  {
    name: "deliveries_succeeded",
    table: "webhooks.deliveries",
    on: "(account_id, id) where status = 'succeeded'",
  },
  {
    name: "deliveries_other_status",
    table: "webhooks.deliveries",
    on: "(account_id, status, id) where status <> 'succeeded'",
  },
  {
    name: "deliveries_of_endpoint",
    table: "webhooks.deliveries",
    on: "(account_id, endpoint_id, id, event_type, created_at)",
  },
];

function creationOf({ name, table, on }: PartitionedIndex): string {
  return `create index ${name} on ${table} ${on}`;
}

const DROP_FORMER = `
drop index webhooks.deliveries_status;
drop index webhooks.deliveries_endpoint_types;
`;

const DOWN = `
create index deliveries_endpoint_types on webhooks.deliveries (account_id, endpoint_id, id)
  include (event_type, created_at);
create index deliveries_status on webhooks.deliveries (account_id, status, id);
drop index webhooks.deliveries_of_endpoint;
drop index webhooks.deliveries_other_status;
drop index webhooks.deliveries_succeeded;
`;
