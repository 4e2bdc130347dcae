import { createRequire } from "node:module";
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { z } from "zod";
import { mendBrokerList, mendRequestTimer } from "./mend-kafkajs.ts";

interface Request {
  entry: { correlationId: number; resolve: () => void; reject: (error: unknown) => void };
  expectResponse: boolean;
  sendRequest: () => void;
}

interface RequestQueue {
  push(request: Request): void;
  fulfillRequest(response: { correlationId: number; payload: null; size: number }): void;
  maybeThrottle(ms: number): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
}

const queueClass = z.custom<new (options: object) => RequestQueue>(
  (value) => typeof value === "function",
);

function newQueue(options: object = {}): RequestQueue {
  const path = "kafkajs/src/network/requestQueue/index.js";
  const Queue = queueClass.parse(createRequire(import.meta.url)(path));
  const logger = { debug: () => undefined, warn: () => undefined };
  return new Queue({
    instrumentationEmitter: { emit: () => undefined },
    maxInFlightRequests: 1,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
    clientId: "test",
    broker: "kafka:9092",
    logger,
    isConnected: () => true,
    ...options,
  });
}

describe("the requests of kafkajs", () => {
  let queue: RequestQueue;
  let sent: number[];
  let failed: unknown[];
  const push = (correlationId: number): void =>
    queue.push({
      entry: { correlationId, resolve: () => undefined, reject: (error) => failed.push(error) },
      expectResponse: true,
      sendRequest: () => void sent.push(correlationId),
    });

  beforeEach(() => {
    jest.useFakeTimers();
    mendRequestTimer();
    queue = newQueue();
    [sent, failed] = [[], []];
  });

  afterEach(() => {
    queue.destroy();
    jest.useRealTimers();
  });

  it("set no timer while none of them waits", () => {
    push(1);
    queue.fulfillRequest({ correlationId: 1, payload: null, size: 0 });
    expect([sent, jest.getTimerCount()]).toEqual([[1], 0]);
  });

  it("are sent after the throttling that the broker asked for", () => {
    queue.maybeThrottle(500);
    push(1);
    expect(sent).toEqual([]);
    jest.advanceTimersByTime(501);
    expect([sent, jest.getTimerCount()]).toEqual([[1], 0]);
  });

  it("wait for one another where only one may be on its way", () => {
    push(1);
    push(2);
    expect(sent).toEqual([1]);
    queue.fulfillRequest({ correlationId: 1, payload: null, size: 0 });
    expect(sent).toEqual([1, 2]);
  });

  it("fail a second after their time at the latest, where the broker is silent", () => {
    queue = newQueue({ enforceRequestTimeout: true });
    queue.scheduleRequestTimeoutCheck();
    push(1);
    jest.advanceTimersByTime(1_000);
    expect(failed).toEqual([]);
    jest.advanceTimersByTime(1_000);
    expect(failed).toEqual([expect.objectContaining({ name: "KafkaJSRequestTimeoutError" })]);
  });

  it("are looked at until the connection has ended, all connections at the same moments", () => {
    let isConnected = true;
    const looks: number[] = [];
    const look = (): boolean => {
      looks.push(performance.now());
      return isConnected;
    };
    for (let connection = 0; connection < 2; connection += 1) {
      const one = newQueue({ enforceRequestTimeout: true, isConnected: look });
      one.scheduleRequestTimeoutCheck();
      jest.advanceTimersByTime(130);
    }
    jest.advanceTimersByTime(4_000);
    expect([looks.length, new Set(looks).size]).toEqual([8, 4]);
    isConnected = false;
    jest.advanceTimersByTime(1_000);
    expect(jest.getTimerCount()).toBe(0);
  });
});

interface BrokerPool {
  connect(): Promise<void>;
  refreshMetadata(topics: string[]): Promise<void>;
  getNodeIds(): string[];
}

const poolClass = z.custom<new (options: object) => BrokerPool>(
  (value) => typeof value === "function",
);

const OWN = { nodeId: 1, host: "kafka", port: 9092, rack: null };

/** What kafkajs keeps of the brokers of a cluster that tells of these in turn, and how often it was asked. */
async function poolTold(...answers: readonly (readonly object[])[]) {
  const path = "kafkajs/src/cluster/brokerPool.js";
  const Pool = poolClass.parse(createRequire(import.meta.url)(path));
  let [asked, isConnected] = [0, false];
  const connection = {
    ...{ host: OWN.host, port: OWN.port, rack: null },
    isConnected: () => isConnected,
    getConnection: () => {
      isConnected = true;
      return Promise.resolve(connection);
    },
    getSupportAuthenticationProtocol: () => true,
    setVersions: () => undefined,
    authenticate: () => Promise.resolve(),
    send: ({ request }: { request: { apiName: string } }) =>
      Promise.resolve(
        request.apiName === "Metadata"
          ? { brokers: answers[asked++] ?? [], topicMetadata: [] }
          : { apiVersions: [{ apiKey: 3, minVersion: 0, maxVersion: 6 }] },
      ),
  };
  const log = { debug: () => undefined, error: () => undefined };
  const pool = new Pool({
    connectionPoolBuilder: { build: () => Promise.resolve(connection) },
    logger: { namespace: () => log },
    retry: { initialRetryTime: 1, maxRetryTime: 1, retries: 3 },
  });
  await pool.connect();
  return { pool, asked: () => asked };
}

describe("the brokers that kafkajs is told of", () => {
  beforeAll(() => mendBrokerList());

  it("are asked for again while a broker that has just started knows of none", async () => {
    const { pool, asked } = await poolTold([OWN], [], [], [OWN]);
    await pool.refreshMetadata([]);
    expect(pool.getNodeIds()).toEqual(["1"]);
    await pool.refreshMetadata([]);
    expect([pool.getNodeIds(), asked()]).toEqual([["1"], 4]);
  });

  it("stay as they were where none is reported until the last retry", async () => {
    const { pool, asked } = await poolTold([OWN]);
    await pool.refreshMetadata([]);
    await expect(pool.refreshMetadata([])).rejects.toMatchObject({
      name: "KafkaJSNumberOfRetriesExceeded",
      cause: expect.objectContaining({ type: "LEADER_NOT_AVAILABLE", retriable: true }),
    });
    expect([pool.getNodeIds(), asked()]).toEqual([["1"], 5]);
  });
});
