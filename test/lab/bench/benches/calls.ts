import type { Kafka } from "kafkajs";
import pg, { type Pool } from "pg";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { createCodec, type Codec } from "../../../../services/messages/codec.ts";
import {
  sendRules,
  outgoing,
  type OutgoingMessage,
} from "../../../../services/messages/bus/outgoing.ts";
import { systemClock } from "../../../../services/platform/clock.ts";
import { createPool } from "../../../../services/platform/db/pool.ts";
import { newId } from "../../../../services/platform/ids.ts";
import { createKafka } from "../../../../services/platform/kafka/kafka-client.ts";
import { createProducer } from "../../../../services/platform/kafka/producer.ts";
import { readTopic } from "../../../../services/platform/kafka/topic-offsets.ts";
import { createLogger } from "../../../../services/platform/logger.ts";
import { buildCallUpdate } from "../../../support/carriers/call-update-factory.ts";
import { startProductAt, type OwnProduct } from "../../../support/product/product.ts";
import { median, type Bench, type BenchContext } from "../bench.ts";
import { cpuSecondsOf, residentMb } from "../process-use.ts";
import { adminAccess } from "../../../support/stack/kafka-access.ts";

const CALLS = 100_000;
const WARM_UP = 20_000;
const ROUNDS = 5;
const NUMBERS = 1_000;
const ACCOUNTS = 100;
const SEND = 2_000;
const ACCEPT_PER_S = 5_000;
const FLAT_MB = 20;
const TOPIC = "carriers.calls";
const log = createLogger("bench", "silent");

async function addNumbers(pool: Pool): Promise<string[]> {
  const accounts = Array.from({ length: ACCOUNTS }, () => newId(new Date()));
  const numbers = Array.from({ length: NUMBERS }, (_, n) => `+1212555${1_000 + n}`);
  await pool.query({
    text: `insert into orders.numbers (account_id, phone_number, status, country_code, number_type, provider,
        activated_at)
      select u.account_id, u.phone_number, 'active', 'US', 'local', 'sandbox', now()
      from unnest($1::uuid[], $2::text[]) u (account_id, phone_number)`,
    values: [numbers.map((_, n) => accounts[n % ACCOUNTS]), numbers],
  });
  return numbers;
}

interface Writer {
  readonly codec: Codec;
  readonly topicPrefix: string;
}

interface CallRange {
  readonly first: number;
  readonly count: number;
}

/** Calls numbered in the order of publication, over all numbers in turn. */
function callsFrom(writer: Writer, numbers: readonly string[], { first, count }: CallRange) {
  return Array.from({ length: count }, (_, n): OutgoingMessage => {
    const phone_number = numbers[n % numbers.length] ?? "";
    const call_id = String(first + n).padStart(9, "0");
    const message = buildCallUpdate({ call_id, phone_number });
    return outgoing(writer, TOPIC, { key: phone_number, messageId: newId(new Date()), message });
  });
}

async function stored(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    "select coalesce(sum(last_seq), 0) as count from events.feed_counters",
  );
  return Number(rows[0]?.count ?? 0);
}

/** Counts events stored after a later call of the same number; call ids ascend in order of publication. */
async function outOfOrder(databaseUrl: string): Promise<number> {
  // A query of this size exceeds the statement timeout of a service's connection.
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from (
      select call, lag(call) over (partition by account_id, sequence_key order by seq) as before
      from (select account_id, sequence_key, seq,
        convert_from(body, 'UTF8')::jsonb -> 'payload' ->> 'call_id' as call from events.log) l
    ) o where before >= call`,
  );
  await client.end();
  return Number(rows[0]?.count ?? 0);
}

/** CPU seconds of the adapter so far. */
function cpuOf(product: OwnProduct): number {
  const pid = product.supervisor.service("carrier-adapter").program.pid ?? 0;
  return cpuSecondsOf(new Set([pid])).get(pid) ?? 0;
}

function adapterMb(product: OwnProduct): number {
  return residentMb(product.supervisor.service("carrier-adapter").program.pid ?? 0);
}

/** The rate of a consumer that only decodes the topic, in calls per second. */
async function decodeOnly(kafka: Kafka, { codec, topicPrefix }: Writer): Promise<number> {
  let decoded = 0;
  let startedAt = 0;
  let endedAt = 0;
  await readTopic({
    kafka,
    topic: topicPrefix + TOPIC,
    onBatch: async (batch) => {
      if (startedAt === 0) startedAt = performance.now();
      for (const { value } of batch) {
        await codec.decode(TOPIC, value);
        decoded += 1;
      }
      endedAt = performance.now();
    },
  });
  return (decoded * 1_000) / (endedAt - startedAt);
}

interface Round {
  readonly rate: number;
  /** Peak memory of the adapter. */
  readonly peakMb: number;
}

interface Measured {
  readonly cpuMicros: number;
  readonly rates: readonly number[];
  readonly grownMb: number;
  readonly lost: number;
  readonly disordered: number;
  readonly floor: number;
}

interface Parts {
  readonly context: BenchContext;
  readonly product: OwnProduct;
  readonly writer: Writer;
  readonly pool: Pool;
}

async function measure({ context, product, writer, pool }: Parts): Promise<Measured> {
  const kafka = createKafka({ ...adminAccess(product.kafkaBrokers), clientId: "bench", log });
  const producer = createProducer(kafka, {
    ...{ clock: systemClock, log },
    ...sendRules(writer.topicPrefix),
  });
  const numbers = await addNumbers(pool);
  let published = 0;
  const round = async (count: number): Promise<Round> => {
    const calls = callsFrom(writer, numbers, { first: published, count });
    published += count;
    const startedAt = performance.now();
    let peakMb = 0;
    for (let n = 0; n < count; n += SEND) await producer.send(calls.slice(n, n + SEND));
    const isStored = async (): Promise<boolean> => {
      peakMb = Math.max(peakMb, adapterMb(product));
      return (await stored(pool)) >= published;
    };
    const what = "every call in the log";
    await until(isStored, { timeoutMs: 180_000, what, everyMs: 100 });
    return { rate: (count * 1_000) / (performance.now() - startedAt), peakMb };
  };
  try {
    await round(WARM_UP);
    const rounds: Round[] = [];
    const cpu = cpuOf(product);
    while (rounds.length < ROUNDS) rounds.push(await round(CALLS));
    const cpuMicros = ((cpuOf(product) - cpu) / (ROUNDS * CALLS)) * 1_000_000;
    const peaks = rounds.map((one) => one.peakMb);
    const grownMb = (peaks.at(-1) ?? 0) - Math.max(...peaks.slice(0, 2));
    context.log(`peaks in MB: ${peaks.map(Math.round).join(", ")}`);
    const lost = Math.abs((await stored(pool)) - published);
    const floor = await decodeOnly(kafka, writer);
    const disordered = await outOfOrder(product.databaseUrl);
    return { rates: rounds.map((one) => one.rate), cpuMicros, grownMb, lost, disordered, floor };
  } finally {
    await producer.stop();
  }
}

/** Calls from their topic to the log, from the first published to the last stored. */
export const calls: Bench = {
  name: "calls",
  area: "Events and messages",
  once: true,
  run: async (context) => {
    const place = await context.newPlace();
    const product = await startProductAt(place, { services: ["carrier-adapter", "event-log"] });
    const pool = createPool({ url: place.databaseUrl, service: "bench", size: 2, log });
    const { registryUrl } = place;
    const { topicPrefix } = product;
    const { signal } = new AbortController();
    const registry = { SCHEMA_REGISTRY_URL: registryUrl };
    const codec = await createCodec({ registry, topicPrefix, signal, log, clock: systemClock });
    try {
      const found = await measure({ context, product, writer: { codec, topicPrefix }, pool });
      const none = { unit: "", target: { kind: "at_most", accept: 0 } } as const;
      return [
        {
          name: `${CALLS.toLocaleString("en")} calls published at once, into the log`,
          measured: median(found.rates),
          unit: "calls/s",
          floor: { what: "consumer that only decodes", measured: found.floor },
          target: { kind: "at_least", accept: ACCEPT_PER_S },
        },
        { name: "  lost or repeated", measured: found.lost, ...none },
        { name: "  out of order for their number", measured: found.disordered, ...none },
        {
          name: `  peak memory, round ${ROUNDS} above rounds 1 and 2`,
          measured: found.grownMb,
          unit: "MB",
          target: { kind: "at_most", accept: FLAT_MB },
        },
        {
          name: "  CPU of carrier-adapter",
          measured: found.cpuMicros,
          unit: "µs per call",
          target: { kind: "reported" },
        },
      ];
    } finally {
      await pool.end();
      await product.stop();
    }
  },
};
