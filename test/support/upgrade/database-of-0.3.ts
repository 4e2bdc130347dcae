import { readFileSync } from "node:fs";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { createEmptyDatabase, type TestDatabase } from "../stack/test-stack.ts";

const SCHEMA = readFileSync(new URL("schema-of-0.3.sql", import.meta.url), "utf8");

/** What was added to 0.3.0 after its first day, which ended with migration 97. */
const ADDED = `
drop table webhooks.begun_deliveries;
drop function webhooks.keep_ended_at;
do $$
declare
  part regclass;
begin
  for part in select inhrelid from pg_inherits where inhparent = 'webhooks.deliveries'::regclass loop
    execute format('alter table %s set (fillfactor = 50)', part);
  end loop;
end
$$;
alter table orders.porting_orders drop column foc_said_at;
drop table messaging.generated_keys;
alter table messaging.dead_letters drop column order_id;
drop function orders.note_dead_letter;
alter table carriers.port_out_updates drop column pin_mac, drop column pin_mac_key;
alter table messaging.reconciliation drop column unsent_again;
delete from public.migrations where right(name, 4)::integer > 97;
delete from messaging.migration_checksums where right(name, 4)::integer > 97;
`;

/** A new database as 0.3.0 leaves it, empty; dropped after the tests. */
export async function createDatabaseOf03({
  onItsFirstDay = false,
}: { readonly onItsFirstDay?: boolean } = {}): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  await withConnection(database.url, async (client) => {
    await client.query(SCHEMA);
    if (onItsFirstDay) await client.query(ADDED);
  });
  return database;
}
