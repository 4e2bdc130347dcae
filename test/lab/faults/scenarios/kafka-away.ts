import { until } from "../../../../infra/start/supervisor/until.ts";
import { residentMb } from "../../bench/resident-mb.ts";
import { newAccount } from "../fault-accounts.ts";
import { query } from "../gather.ts";
import { writeEvents } from "../log/write-events.ts";
import { openFaultBus } from "../open-fault-bus.ts";
import { otherThan, startProbe } from "../probe.ts";
import { atMost, none, type Scenario, type ScenarioContext } from "../scenario.ts";

const BACKLOG = 100_000;
const WRITERS = 16;
/** What may still wait when the backlog is regarded as drained, because the load goes on. */
const LEFT = 500;
const LEAST_PER_SECOND = 3_000;
const DRAIN_MS = 300_000;
const READY_MS = 60_000;
const MOST_RELAY_MB = 250;

/** Commits events of orders that have nothing else, of an account without endpoints. */
async function fillOutbox({ direct, product, accounts, record, random }: ScenarioContext) {
  const account = { ...(await newAccount(product, "backlog")), endpoints: new Map<string, null>() };
  const bus = await openFaultBus(direct, product.topicPrefix, WRITERS);
  try {
    const { accountId } = account;
    const plan = { pool: bus.pool, messages: bus, accountId, random };
    const written = await writeEvents({ ...plan, writers: WRITERS, events: BACKLOG, pauseMs: 0 });
    accounts.push(account);
    for (const orderId of written.keys()) {
      record.orders.set(orderId, { orderId, accountId, ownPath: null });
    }
  } finally {
    await bus.close();
  }
}

async function unsent(databaseUrl: string): Promise<number> {
  const text = "select count(*)::integer as rows from messaging.outbox_progress where waits";
  return (await query<{ rows: number }>(databaseUrl, text))[0]?.rows ?? 0;
}

export const kafkaAway: Scenario = {
  name: "kafka-away",
  what: `Kafka is away until ${BACKLOG.toLocaleString("en")} messages wait for it, and comes back under load`,
  faults: ["F6", "F28"],
  promises: ["P1", "P2", "P9"],
  seconds: 150,
  isQuick: false,
  recoveryMs: null,
  run: async (context) => {
    const { place, product, direct, log } = context;
    const kafka = place.stack.part("kafka");
    await kafka.stop(0);
    const url = `${product.apiUrl}/v2/porting_orders?limit=1`;
    const probe = startProbe(url, { key: product.apiKey, everyMs: 50 });
    await fillOutbox(context);
    const waiting = await unsent(direct.databaseUrl);
    log(`${waiting} messages wait`);
    kafka.start();
    await kafka.whenReady(READY_MS);
    const backAt = performance.now();
    let relayMb = 0;
    await until(
      async () => {
        const { pid } = product.supervisor.service("outbox-relay").program;
        if (pid !== null) relayMb = Math.max(relayMb, residentMb(pid));
        return (await unsent(direct.databaseUrl)) <= LEFT;
      },
      { timeoutMs: DRAIN_MS, everyMs: 250, what: "the backlog to be sent" },
    );
    const perSecond = (waiting / (performance.now() - backAt)) * 1_000;
    return [
      none("requests that failed meanwhile", otherThan(await probe.stop(), [200])),
      {
        name: "messages that waited",
        measured: waiting,
        unit: "",
        target: { kind: "at_least", accept: BACKLOG },
      },
      {
        name: "sent since Kafka accepts clients",
        measured: perSecond,
        unit: "/s",
        target: { kind: "at_least", accept: LEAST_PER_SECOND },
      },
      atMost("memory of the relay", relayMb, [MOST_RELAY_MB, "MB"]),
    ];
  },
};
