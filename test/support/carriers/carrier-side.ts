import { expect } from "@jest/globals";
import type { Kafka, Producer } from "kafkajs";
import { z } from "zod";
import { createCodec, type Codec } from "../../../services/messages/codec.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { adminAccess } from "../stack/kafka-access.ts";
import { call, dataOf, type Answer } from "../http/call.ts";
import { eventually } from "../eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../orders/fulfil-order.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { startOwnProduct, type OwnProduct } from "../product/product.ts";

/** A carrier's integration, with the services that consume its updates and a customer whose orders it carries out. */
export interface CarrierSide {
  readonly product: OwnProduct;
  readonly codec: Codec;
  readonly kafka: Kafka;
  readonly producer: Producer;
  /** A request of the customer: POST where it has a body, else GET. */
  api(path: string, body?: unknown): Promise<Answer>;
  /** Creates an order and brings it to submitted; returns its id. */
  sentOrder(phoneNumber: string, losingCarrier?: string): Promise<string>;
}

const SERVICES = [
  "api",
  "requirement-review",
  "order-lifecycle",
  "outbox-relay",
  "carrier-adapter",
] as const;

interface CarrierSideOptions {
  readonly also?: readonly ("event-log" | "webhook-sender")[];
  readonly env?: NodeJS.ProcessEnv;
}

export async function openCarrierSide(options: CarrierSideOptions = {}): Promise<CarrierSide> {
  const { also = [], env = {} } = options;
  const product = await startOwnProduct({ services: [...SERVICES, ...also], env });
  const { kafkaBrokers, registryUrl, topicPrefix } = product;
  const { signal } = new AbortController();
  const log = createLogger("carrier", "silent");
  const registry = { SCHEMA_REGISTRY_URL: registryUrl };
  const codec = await createCodec({ registry, topicPrefix, signal, log, clock: systemClock });
  const kafka = createKafka({ ...adminAccess(kafkaBrokers), clientId: "carrier", log });
  const producer = kafka.producer();
  endAfterTests(() => producer.disconnect());
  await producer.connect();
  const api = (path: string, body?: unknown): Promise<Answer> => {
    const method = body === undefined ? "GET" : "POST";
    return call(product.apiUrl + path, { method, key: product.apiKey, body });
  };
  return {
    product,
    codec,
    kafka,
    producer,
    api,
    sentOrder: async (phoneNumber, losing_carrier = "manual") => {
      const phone_numbers = [phoneNumber];
      const made = await api("/v2/porting_orders", { phone_numbers, losing_carrier });
      const id = z.string().parse(dataOf(made)[0]?.["id"]);
      await fulfilOrder(product, id);
      await submitOrder(product, id);
      await confirmAtDesk(product, id);
      await eventually(async () => {
        expect((await api(`/v2/porting_orders/${id}`)).body?.["status"]).toBe("submitted");
      });
      return id;
    },
  };
}
