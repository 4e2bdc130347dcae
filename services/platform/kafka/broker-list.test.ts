import { createRequire } from "node:module";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { mendBrokerList } from "./broker-list.ts";

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
