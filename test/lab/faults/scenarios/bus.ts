import { setTimeout as pause } from "node:timers/promises";
import type { CopyName } from "../../../../infra/start/supervisor/service-table.ts";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { createKafka } from "../../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { adminAccess } from "../../../support/stack/kafka-access.ts";
import { residentMb } from "../../bench/process-use.ts";
import { otherThan, startProbe } from "../ask.ts";
import { newAccount } from "../fault-accounts.ts";
import { query } from "../history.ts";
import { serviceTargets } from "../killer.ts";
import { openFaultBus, writeEvents } from "../log/write-events.ts";
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

const COPIES = [
  "event-log#2",
  "webhook-sender#2",
  "order-lifecycle#2",
] as const satisfies CopyName[];
const TIMES = 10;
const EVERY_MS = 5_000;
const STOP_GRACE_MS = 20_000;

export const rebalances: Scenario = {
  name: "rebalances",
  what: "every 5 s for 50 s a second copy of event-log, webhook-sender and order-lifecycle joins or leaves its group",
  faults: ["F18"],
  promises: ["P1", "P2", "P3", "P9"],
  seconds: 90,
  isQuick: false,
  run: async ({ product: { supervisor } }) => {
    const copies = COPIES.map((name) => supervisor.start(name).program);
    for (let n = 1; n < TIMES; n += 1) {
      await pause(EVERY_MS);
      if (n % 2 === 0) for (const copy of copies) copy.start();
      else await Promise.all(copies.map((copy) => copy.stop(STOP_GRACE_MS)));
    }
    return [];
  },
};

const AWAY_MS = 15_000;
export const registryAway: Scenario = {
  name: "registry-away",
  what: "the registry is away for 15 s under load; then every service with a database dies and starts without it",
  faults: ["F15"],
  promises: ["P1", "P2", "P9"],
  seconds: 75,
  isQuick: false,
  run: async ({ place, product, killed, recover, log }) => {
    const registry = place.stack.part("registry");
    await registry.stop(0);
    await pause(AWAY_MS);
    log("without the registry the services that run already do all their work");
    await recover();
    const withDatabase = serviceTargets(product.supervisor).filter(
      ({ name }) => name !== "sandbox-carrier" && name !== "platform-carrier",
    );
    for (const target of withDatabase) {
      await target.kill();
      killed(target.name);
    }
    await recover();
    registry.start();
    await registry.whenReady(READY_MS);
    return [];
  },
};

const TOPICS = [
  "porting.review-requests",
  "porting.review-results",
  "porting.carrier-requests",
  "porting.carrier-results",
  "porting.webhook-attempts",
  "carriers.updates",
  "carriers.calls",
];
const POISON_EVERY_MS = 1_000;
const UNKNOWN_ID = 2_000_000_000;

function unknownSchema(): Buffer {
  const value = Buffer.alloc(16);
  value.writeUInt32BE(UNKNOWN_ID, 1);
  return value;
}

export const poisonRecords: Scenario = {
  name: "poison-records",
  what: "every second for 10 s garbage and a null value on each of seven topics, on those of carriers an unknown schema id too; then all are read again",
  faults: ["F16", "F17"],
  promises: ["P1", "P2"],
  seconds: 55,
  isQuick: true,
  isReplayed: true,
  run: async ({ direct, product, record }) => {
    const producer = createKafka({
      ...adminAccess(direct.kafkaBrokers),
      clientId: "poison",
      log: createLogger("poison", "silent"),
    }).producer();
    await producer.connect();
    try {
      for (let n = 0; n < TIMES; n += 1) {
        for (const name of TOPICS) {
          const topic = product.topicPrefix + name;
          // On a topic of ours it would hold the partition.
          const unknown = name.startsWith("carriers.") ? [unknownSchema()] : [];
          const values = [Buffer.from("garbage"), null, ...unknown];
          const messages = values.map((value) => ({ key: "poison", value, partition: 0 }));
          const [sent] = await producer.send({ topic, messages });
          const base = Number(sent?.baseOffset);
          for (const at of values.keys()) record.poisoned.add(`${topic} 0/${base + at}`);
        }
        await pause(POISON_EVERY_MS);
      }
    } finally {
      await producer.disconnect();
    }
    return [];
  },
};
