import pg from "pg";
import { z } from "zod";
import { SERVICE_NAMES } from "../../../../infra/start/supervisor/service-table.ts";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { phoneNumbers } from "../../faults/phone-numbers.ts";
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
import type { Bench, BenchContext } from "../bench.ts";
import { readDatabaseUse, useFigures } from "../database-use.ts";
import type { Figure } from "../figure.ts";
import { cpuSecondsOf } from "../process-cpu.ts";

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
  /** The orders whose numbers a webhook has told to be active. */
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
