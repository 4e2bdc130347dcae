import { expect } from "@jest/globals";
import type { Kafka, Producer } from "kafkajs";
import { z } from "zod";
import type { CopyName } from "../../../infra/start/supervisor/service-table.ts";
import { createCodec, type Codec } from "../../../services/messages/codec.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { adminAccess } from "../stack/kafka-access.ts";
import { call, dataOf, type Answer } from "../http/call.ts";
import { eventually } from "../eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../orders/fulfil-order.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { startOwnProduct, type OwnProduct, type Product } from "../product/product.ts";
import { startProduct } from "../product/shared-products.ts";

/** A carrier's integration, with a customer whose orders it carries out. */
export interface CarrierSide<P extends Product = Product> {
  readonly product: P;
  readonly codec: Codec;
  readonly kafka: Kafka;
  readonly producer: Producer;
  /** A request of the customer: POST where it has a body, else GET. */
  api(path: string, body?: unknown): Promise<Answer>;
  /** Brings a draft to submitted; returns its id. */
  sent(orderId: string): Promise<string>;
  /** Creates an order, of a new number unless one is given, and brings it to submitted; returns its id. */
  sentOrder(phoneNumber?: string, losingCarrier?: string): Promise<string>;
}

const SERVICES = [
  "api",
  "desk",
  "requirement-review",
  "order-lifecycle",
  "outbox-relay",
  "carrier-adapter",
] as const;

interface CarrierSideOptions {
  readonly also?: readonly CopyName[];
  readonly env?: NodeJS.ProcessEnv;
}

/** At the run's shared product; with options, at one of the test's own, with the services that orders of carriers need. */
export async function openCarrierSide(): Promise<CarrierSide>;
export async function openCarrierSide(
  options: CarrierSideOptions,
): Promise<CarrierSide<OwnProduct>>;
export async function openCarrierSide(options?: CarrierSideOptions): Promise<CarrierSide> {
  if (options === undefined) return carrierSideOf(await startProduct());
  const { also = [], env = {} } = options;
  return carrierSideOf(await startOwnProduct({ services: [...SERVICES, ...also], env }));
}

/** At a product that runs. */
export async function carrierSideOf<P extends Product>(product: P): Promise<CarrierSide<P>> {
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
  const sent = async (id: string): Promise<string> => {
    await fulfilOrder(product, id);
    await submitOrder(product, id);
    await confirmAtDesk(product, id);
    await eventually(async () => {
      expect((await api(`/v2/porting_orders/${id}`)).body?.["status"]).toBe("submitted");
    });
    return id;
  };
  return {
    product,
    codec,
    kafka,
    producer,
    api,
    sent,
    sentOrder: async (phoneNumber = product.newNumber(), losing_carrier = "manual") => {
      const phone_numbers = [phoneNumber];
      const made = await api("/v2/porting_orders", { phone_numbers, losing_carrier });
      return sent(z.string().parse(dataOf(made)[0]?.["id"]));
    },
  };
}
