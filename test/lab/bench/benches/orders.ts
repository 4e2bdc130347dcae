import pg, { type Pool } from "pg";
import { z } from "zod";
import { SERVICE_NAMES } from "../../../../infra/start/supervisor/service-table.ts";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { call, dataOf } from "../../../support/http/call.ts";
import {
  confirmAtDesk,
  fulfilOrder,
  submitOrder,
  type CustomerAccess,
} from "../../../support/orders/fulfil-order.ts";
import { createAccount } from "../../../support/product/create-account.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { startWebhookReceiver } from "../../../support/webhooks/webhook-receiver.ts";
import { phoneNumbers } from "../../faults/phone-numbers.ts";
import type { Bench, BenchContext } from "../bench.ts";
import type { Figure } from "../figure.ts";
import { cpuSecondsOf } from "../process-use.ts";
import { countTransactions } from "../webhooks/usage.ts";

/** What a database has taken so far; sizes in bytes, with indexes, TOAST and dead rows. */
export interface DatabaseUse {
  readonly transactions: number;
  /** Of the whole server. */
  readonly walBytes: number;
  /** By schema. */
  readonly storedBytes: ReadonlyMap<string, number>;
  readonly events: number;
  readonly deliveries: number;
  readonly messages: number;
  /** Of the messages' values. */
  readonly messageBytes: number;
}

const COUNTED = `select pg_current_wal_insert_lsn() - '0/0' as wal,
  (select count(*) from events.log) as events,
  (select count(*) from webhooks.deliveries) as deliveries,
  (select count(*) from messaging.outbox) as messages,
  (select coalesce(sum(octet_length(value)), 0) from messaging.outbox) as message_bytes`;

const STORED = `select n.nspname as schema, sum(pg_total_relation_size(c.oid)) as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname !~ '^pg_|^information_schema$'
  group by n.nspname`;

const counted = z.object({
  wal: z.coerce.number(),
  events: z.coerce.number(),
  deliveries: z.coerce.number(),
  messages: z.coerce.number(),
  message_bytes: z.coerce.number(),
});

const stored = z.array(z.object({ schema: z.string(), bytes: z.coerce.number() }));

async function readDatabaseUse(pool: Pool): Promise<DatabaseUse> {
  const transactions = await countTransactions(pool);
  const { rows } = await pool.query(COUNTED);
  const { wal, message_bytes, ...numbers } = counted.parse(rows[0]);
  const sizes = stored.parse((await pool.query(STORED)).rows);
  const storedBytes = new Map(sizes.map(({ schema, bytes }) => [schema, bytes]));
  return { transactions, walBytes: wal, storedBytes, messageBytes: message_bytes, ...numbers };
}

/** What `orders` whole orders took between two looks, per order. */
function useFigures(before: DatabaseUse, after: DatabaseUse, orders: number): Figure[] {
  const figure = (name: string, unit: string, used: number): Figure => ({
    name,
    measured: used / orders,
    unit,
    target: { kind: "reported" },
  });
  const grown = [...after.storedBytes]
    .map(([schema, bytes]) => [schema, bytes - (before.storedBytes.get(schema) ?? 0)] as const)
    .filter(([, bytes]) => bytes > 0)
    .toSorted(([, a], [, b]) => b - a);
  const all = grown.reduce((sum, [, bytes]) => sum + bytes, 0);
  const count = (name: "events" | "deliveries" | "messages" | "transactions"): Figure =>
    figure(`  ${name}`, "", after[name] - before[name]);
  return [
    { ...count("transactions"), name: "transactions per whole order" },
    count("events"),
    count("deliveries"),
    count("messages"),
    figure("  values of the messages", "kB", (after.messageBytes - before.messageBytes) / 1e3),
    figure("  WAL", "kB", (after.walBytes - before.walBytes) / 1e3),
    figure("stored per whole order, with indexes and dead rows", "kB", all / 1e3),
    ...grown.map(([schema, bytes]) => figure(`  schema ${schema}`, "kB", bytes / 1e3)),
  ];
}

/** Until the compilers of Node and Java have settled. */
const WARM = 150;
const MEASURED = 300;
/** Customers, each with an account of its own and one order at a time up to the desk's decision. */
const CUSTOMERS = 16;
const PARTS = ["postgres", "kafka", "registry"] as const;
const DRIVER = "driver (customers, desk, receiver)";

const activated = z.object({ payload: z.object({ porting_order_id: z.string() }) });

/** Every process that takes part in an order, by pid. */
function processesOf({ stack }: BenchContext, product: OwnProduct): Map<number, string> {
  return new Map([
    ...PARTS.map((part) => [stack.part(part).pid ?? 0, part] as const),
    ...SERVICE_NAMES.map(
      (name) => [product.supervisor.service(name).program.pid ?? 0, name] as const,
    ),
  ]);
}

/** CPU seconds so far, by name; those of this process are the driver's. */
function cpuOf(processes: ReadonlyMap<number, string>): Map<string, number> {
  const used = cpuSecondsOf(new Set(processes.keys()));
  const { user, system } = process.cpuUsage();
  const named = [...processes].map(([pid, name]) => [name, used.get(pid) ?? 0] as const);
  return new Map([...named, [DRIVER, (user + system) / 1_000_000]]);
}

/** Accounts with an endpoint each. */
async function openAccounts(product: OwnProduct, hook: string): Promise<CustomerAccess[]> {
  const accounts: CustomerAccess[] = [];
  for (let n = 1; n <= CUSTOMERS; n += 1) {
    const account = await createAccount(product, `customer ${n}`);
    const url = `${product.apiUrl}/v2/webhook_endpoints`;
    const made = await call(url, { method: "POST", key: account.apiKey, body: { url: hook } });
    if (made.status !== 201) throw new Error(`creating an endpoint returned ${made.status}`);
    accounts.push(account);
  }
  return accounts;
}

async function carryOne(
  product: OwnProduct,
  customer: CustomerAccess,
  phoneNumber: string,
): Promise<void> {
  const { apiUrl, apiKey: key } = customer;
  const body = { phone_numbers: [phoneNumber] };
  const made = await call(`${apiUrl}/v2/porting_orders`, { method: "POST", key, body });
  if (made.status !== 201) throw new Error(`create returned ${made.status}`);
  const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
  await fulfilOrder(customer, orderId);
  await submitOrder(customer, orderId);
  await confirmAtDesk(product, orderId);
}

interface Work {
  readonly customers: readonly CustomerAccess[];
  readonly numbers: Generator<string>;
  /** The orders whose numbers a webhook has reported active. */
  readonly live: Set<string>;
}

/** Carries out `count` orders, one of each customer at a time, and waits for the webhook of each activated number. */
async function completeOrders(
  product: OwnProduct,
  { customers, numbers, live }: Work,
  count: number,
): Promise<void> {
  const goal = live.size + count;
  let begun = 0;
  const carry = async (customer: CustomerAccess): Promise<void> => {
    while (begun < count) {
      begun += 1;
      await carryOne(product, customer, z.string().parse(numbers.next().value));
    }
  };
  await Promise.all(customers.map(carry));
  await until(() => live.size >= goal, { timeoutMs: 120_000, what: "every number to be live" });
}

function figuresOf(perSecond: number, perOrderMs: readonly [string, number][]): Figure[] {
  const reported = { kind: "reported" } as const;
  const shares = perOrderMs.toSorted(([, a], [, b]) => b - a);
  const total = shares.reduce((sum, [, ms]) => sum + ms, 0);
  return [
    {
      name: `whole orders of ${CUSTOMERS} customers, an endpoint each`,
      measured: perSecond,
      unit: "orders/s",
      target: { kind: "at_least", accept: 15, goal: 20 },
    },
    {
      name: "CPU per whole order, all processes",
      measured: total,
      unit: "ms",
      target: { kind: "at_most", accept: 110, goal: 80 },
    },
    ...shares.map(([name, measured]) => ({
      name: `  ${name}`,
      measured,
      unit: "ms",
      target: reported,
    })),
  ];
}

/** From a draft to an active number and its webhook: requirements, review and the sandbox carrier without pauses. */
export const orders: Bench = {
  name: "orders",
  area: "Orders",
  run: async (context) => {
    const env = { SANDBOX_STEP_MS: "1" };
    const place = await context.newPlace();
    const product = await startProductAt(place, { env });
    const pool = new pg.Pool({ connectionString: place.databaseUrl, max: 1 });
    const live = new Set<string>();
    const receiver = await startWebhookReceiver(({ headers, body }) => {
      if (headers["porting-event-type"] === "number.activated") {
        live.add(activated.parse(JSON.parse(body.toString())).payload.porting_order_id);
      }
      return 200;
    });
    try {
      const customers = await openAccounts(product, `${receiver.url}/hook`);
      const work = { customers, numbers: phoneNumbers(), live };
      await completeOrders(product, work, WARM);
      const processes = processesOf(context, product);
      const usedBefore = await readDatabaseUse(pool);
      const before = cpuOf(processes);
      const startedAt = performance.now();
      await completeOrders(product, work, MEASURED);
      const seconds = (performance.now() - startedAt) / 1_000;
      const perOrderMs = [...cpuOf(processes)].map(([name, used]): [string, number] => [
        name,
        ((used - (before.get(name) ?? 0)) * 1_000) / MEASURED,
      ]);
      const used = useFigures(usedBefore, await readDatabaseUse(pool), MEASURED);
      return [...figuresOf(MEASURED / seconds, perOrderMs), ...used];
    } finally {
      await pool.end();
      await product.stop();
      await receiver.stop();
    }
  },
};
