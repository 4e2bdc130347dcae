import { CARRIER_FETCH_BYTES } from "../messages/topics.ts";
import { createDocumentLinks } from "../domain/document/rules/document-link.ts";
import { openConsumingBus } from "../messages/bus/bus.ts";
import { CALLS } from "../messages/bus/consumers.ts";
import { onceTogether, togetherByOwnId } from "../messages/bus/once-together.ts";
import { eachByOwnId, startTopicConsumer } from "../messages/bus/topic-consumer.ts";
import type { Logger } from "../platform/logger.ts";
import type { RunningService } from "../platform/run-service.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { createSecretBox, parseSecretKeys } from "../platform/secret-box.ts";
import { onCalls } from "./calls/on-calls.ts";
import type { CarrierAdapterConfig } from "./config.ts";
import { onCarrierTask } from "./handlers/on-carrier-task.ts";
import { onCarrierUpdate } from "./handlers/on-carrier-update.ts";
import { onPortOutUpdate } from "./handlers/on-port-out-update.ts";
import { createPinMacs } from "./pin-macs.ts";
import { describeCall, describeMessage } from "./receipts/carrier-receipts.ts";
import { watchCarriers } from "../domain/carrier/read-carriers.ts";

const CONSUMER = "carrier-adapter";
/** About 1,500 calls: more would only take memory while they wait. */
const CALLS_FETCH_BYTES = 300_000;

export interface CarrierAdapterOptions {
  readonly config: CarrierAdapterConfig;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly tracing?: Tracing | null;
}

export async function startCarrierAdapter(options: CarrierAdapterOptions): Promise<RunningService> {
  const { config, log } = options;
  const carriers = watchCarriers({ folder: config.CARRIERS_DIR, log });
  const { providers } = carriers;
  const keys = parseSecretKeys(config.SECRETS_KEY);
  const links = createDocumentLinks(keys);
  const box = createSecretBox(keys);
  const pinMacs = createPinMacs(keys);
  const opened = await openConsumingBus({ ...options, service: CONSUMER, box });
  const { bus } = opened;
  const consumer = await startTopicConsumer(bus, {
    consumer: CONSUMER,
    fetchBytes: CARRIER_FETCH_BYTES,
    describe: describeMessage(bus),
    handlers: {
      "porting.carrier-requests": onceTogether(
        bus,
        CONSUMER,
        onCarrierTask(bus, {
          box,
          providers,
          linkTo: (documentId, until) => links.urlOf(config.PUBLIC_API_URL, documentId, until),
        }),
      ),
      "carriers.updates": togetherByOwnId(bus, CONSUMER, onCarrierUpdate(bus, providers)),
      "carriers.port-outs": eachByOwnId(
        bus,
        CONSUMER,
        onPortOutUpdate(bus, { box, pinMacs, providers }),
      ),
    },
  });
  // Calls come by the thousand: a consumer of their own, so that updates on orders do not wait behind them.
  const calls = await startTopicConsumer(bus, {
    consumer: CALLS.consumer,
    fetchBytes: CALLS_FETCH_BYTES,
    describe: describeCall(bus),
    handlers: { "carriers.calls": onCalls(bus, CALLS.consumer, providers) },
  });
  opened.waitsFor([consumer, calls]);
  return {
    stop: async () => {
      await Promise.all([consumer.stop(), calls.stop(), carriers.stop()]);
      await opened.close();
    },
  };
}
