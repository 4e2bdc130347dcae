/** @tier all */
import { beforeEach, expect, it } from "@jest/globals";
import { DataSource, type QueryRunner } from "typeorm";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { ALL_MIGRATIONS } from "../../../infra/migrate/migrations/all-migrations.ts";
import {
  LEAN_DELIVERY_INDEXES as indexes,
  LeanDeliveryIndexes1700000000095 as LeanDeliveryIndexes,
} from "../../../infra/migrate/migrations/0095-lean-delivery-indexes.ts";
import { prepareIndexes } from "../../../infra/migrate/prepared-indexes.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { createEmptyDatabase } from "../../support/stack/test-stack.ts";

const BEFORE = ALL_MIGRATIONS.slice(0, ALL_MIGRATIONS.indexOf(LeanDeliveryIndexes));
const migration = new LeanDeliveryIndexes().name;

let url: string;
let runner: QueryRunner;

/** A database of the version before the migration. */
beforeEach(async () => {
  ({ url } = await createEmptyDatabase());
  const old = new DataSource({ type: "postgres", url, migrations: BEFORE });
  await old.initialize();
  endAfterTests(() => old.destroy());
  await old.runMigrations({ transaction: "each" });
  runner = old.createQueryRunner();
});

const prepare = (largeBytes: number): Promise<void> =>
  prepareIndexes(runner, {
    migration,
    indexes,
    largeBytes,
    patienceMs: 10_000,
    log: () => undefined,
  });

interface FoundIndex {
  readonly oid: string;
  readonly name: string;
  readonly valid: boolean;
  readonly attached: boolean;
}

/** The indexes of partitions that have the names of prepared ones. */
async function prepared(): Promise<readonly FoundIndex[]> {
  const text = `select c.oid::text as oid, c.relname as name, i.indisvalid as valid,
      exists (select from pg_inherits h where h.inhrelid = c.oid) as attached
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname ~ '^deliveries_[0-9]{6}_deliveries_' order by c.relname`;
  return (await runner.query(text)) as FoundIndex[];
}

const PARTITIONS = 5;

it("the indexes of large partitions are built before the migration, which takes them", async () => {
  await prepare(0);
  const built = await prepared();
  expect(built).toHaveLength(PARTITIONS * indexes.length);
  expect(built.every(({ valid, attached }) => valid && !attached)).toBe(true);

  await migrate(url);

  expect(await prepared()).toEqual(built.map((one) => ({ ...one, attached: true })));
  await prepare(0);
  expect(await prepared()).toHaveLength(built.length);
});

it("an index whose building was killed is built again, the others are not", async () => {
  await prepare(0);
  const [killed, ...others] = await prepared();
  await runner.query("update pg_index set indisvalid = false where indexrelid = $1::oid", [
    killed?.oid,
  ]);

  await prepare(0);

  const [rebuilt, ...same] = await prepared();
  expect(rebuilt).toMatchObject({ name: killed?.name, valid: true });
  expect(rebuilt?.oid).not.toBe(killed?.oid);
  expect(same).toEqual(others);
});

it("small partitions are left to the migration", async () => {
  await prepare(1_000_000);
  expect(await prepared()).toEqual([]);
  await migrate(url);
  const [found] = (await runner.query(
    `select count(*)::integer as n from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
      where x.indisvalid and i.inhparent in ('webhooks.deliveries_succeeded'::regclass,
        'webhooks.deliveries_other_status'::regclass, 'webhooks.deliveries_of_endpoint'::regclass)`,
  )) as { readonly n: number }[];
  expect(found?.n).toBe(PARTITIONS * indexes.length);
});
