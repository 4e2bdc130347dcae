import { readConfig } from "../../../../../services/carrier-adapter/config.ts";
import { openConsumingBus } from "../../../../../services/messages/bus/bus.ts";
import {
  onceEach,
  startTopicConsumer,
} from "../../../../../services/messages/bus/topic-consumer.ts";
import { runService } from "../../../../../services/platform/run-service.ts";

const SERVICE = "carrier-adapter";

// Reads carriers.updates as carrier-adapter does, but what it does with them is never done with one that is marked.
await runService(SERVICE, async (signal, log) => {
  const config = readConfig(process.env);
  const options = { config, service: SERVICE, log, signal };
  const { bus, waitsFor, close } = await openConsumingBus(options);
  const handle = onceEach(bus, SERVICE, (_tx, { message }: { message: { raw_status: string } }) => {
    while (message.raw_status === "ENDLESS");
    return Promise.resolve();
  });
  const consumer = await startTopicConsumer(bus, {
    consumer: SERVICE,
    handlers: { "carriers.updates": { ...handle, maxBatch: 8 } },
  });
  waitsFor([consumer]);
  return {
    stop: async () => {
      await consumer.stop();
      await close();
    },
  };
});
