import { createRequire } from "node:module";
import kafkajs from "kafkajs";

interface Metadata {
  readonly brokers: readonly unknown[];
}

interface BrokerClass {
  prototype: { metadata: (this: unknown, topics?: readonly string[]) => Promise<Metadata> };
}

const LEADER_NOT_AVAILABLE = 5;

/** The one fault at which the client reads the metadata again, with its pauses and at most its retries. */
export class NoBrokers extends kafkajs.KafkaJSProtocolError {
  constructor() {
    const fault = { type: "LEADER_NOT_AVAILABLE", code: LEADER_NOT_AVAILABLE, retriable: true };
    super(Object.assign(new Error("No broker has been admitted to the cluster yet"), fault));
  }
}

/**
 * A broker that has just started knows of no broker, not even itself, until the controller has admitted it. kafkajs 2.2.4
 * takes that list for the truth: its consumer crashes, returns as a new member, and makes its group wait for the old one
 * until that one's session ends. As a fault that passes, the client asks again.
 */
export function mendBrokerList(): void {
  const path = "kafkajs/src/broker/index.js";
  const { prototype } = createRequire(import.meta.url)(path) as BrokerClass;
  const original = prototype.metadata;
  if (original.name === "metadataWithBrokers") return;
  prototype.metadata = async function metadataWithBrokers(topics) {
    const found = await original.call(this, topics);
    if (found.brokers.length > 0) return found;
    throw new NoBrokers();
  };
}
