import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import type { Figure } from "../../bench/figure.ts";
import { residentMb } from "../../bench/process-use.ts";
import { call, dataOf } from "../../../support/http/call.ts";
import type { FaultAccount } from "../fault-accounts.ts";
import { atMost, none, reported, type Scenario, type ScenarioContext } from "../scenario.ts";

/** Of each of three accounts: five times the requests of one that the API runs at once. */
const CLIENTS = 100;
const WARM_MS = 10_000;
const MEASURED_MS = 20_000;
/** By then the heap has the size that the load takes; whatever still grows would go on growing. */
const FURTHER_MS = 60_000;
const REQUEST_MS = 60_000;
const MOST_GROWTH_MB = 40;
const MOST_FURTHER_MB = 20;

interface Tally {
  accepted: number;
  refused: number;
  withoutRetryAfter: number;
  others: number;
}

async function createOne(
  { product, numbers, record }: ScenarioContext,
  { key, accountId }: FaultAccount,
  tally: Tally,
): Promise<void> {
  const number = numbers.next().value;
  const request = { method: "POST", key, body: { phone_numbers: [number] }, timeoutMs: REQUEST_MS };
  const answer = await call(`${product.apiUrl}/v2/porting_orders`, request).catch(() => null);
  if (answer?.status === 201) {
    tally.accepted += 1;
    const orderId = z.string().parse(dataOf(answer)[0]?.["id"]);
    record.orders.set(orderId, { orderId, accountId, ownPath: null });
    record.acknowledged.push({ kind: "created", orderId });
    return;
  }
  record.doubtfulNumbers.set(number, { accountId, ownPath: null });
  if (answer?.status !== 429 && answer?.status !== 503) tally.others += 1;
  else if (answer.headers.has("Retry-After")) tally.refused += 1;
  else tally.withoutRetryAfter += 1;
}

function growth(when: string, measured: number, most: number): Figure {
  return atMost(`growth of the API's memory ${when}`, Math.max(0, measured), [most, "MB"]);
}

export const overload: Scenario = {
  name: "overload",
  what: "for 90 s, 300 clients of three accounts create drafts without a pause, five times what the API runs at once",
  faults: ["F13"],
  promises: ["P1", "P13"],
  seconds: 180,
  isQuick: false,
  // All clients have one address, whose limit must not be what refuses them.
  env: { ACCOUNT_CONCURRENCY: "20", DATABASE_POOL_SIZE: "10", CONNECTIONS_PER_ADDRESS: "0" },
  run: async (context) => {
    const { product, accounts } = context;
    const tally: Tally = { accepted: 0, refused: 0, withoutRetryAfter: 0, others: 0 };
    const { pid } = product.supervisor.service("api").program;
    if (pid === null) throw new Error("the API does not run");
    let isOver = false;
    const clients = accounts.flatMap((account) =>
      Array.from({ length: CLIENTS }, async () => {
        while (!isOver) await createOne(context, account, tally);
      }),
    );
    await pause(WARM_MS);
    const warm = residentMb(pid);
    await pause(MEASURED_MS);
    const settled = residentMb(pid);
    await pause(FURTHER_MS);
    const last = residentMb(pid);
    isOver = true;
    await Promise.all(clients);
    return [
      reported("drafts accepted", tally.accepted),
      reported("refused with Retry-After", tally.refused),
      none("refused without Retry-After", tally.withoutRetryAfter),
      none("other answers, or none", tally.others),
      growth("from 10 to 30 s", settled - warm, MOST_GROWTH_MB),
      growth("from 30 to 90 s", last - settled, MOST_FURTHER_MB),
    ];
  },
};
