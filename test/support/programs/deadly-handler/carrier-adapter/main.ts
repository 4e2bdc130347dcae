import { readConfig } from "../../../../../services/carrier-adapter/config.ts";
import { openBus } from "../../../../../services/messages/bus/bus.ts";
import { startBusHealth } from "../../../../../services/messages/bus/bus-readiness.ts";
import {
  onceEach,
  startTopicConsumer,
} from "../../../../../services/messages/bus/topic-consumer.ts";
import { runService } from "../../../../../services/platform/run-service.ts";

const SERVICE = "carrier-adapter";

// Reads carriers.updates as carrier-adapter does, but what it does with them is never done with one that is marked.
await runService(SERVICE, async (signal, log) => {
  const config = readConfig(process.env);
  const bus = await openBus({ config, service: SERVICE, log, signal });
  const handle = onceEach(bus, SERVICE, (_tx, { message }: { message: { raw_status: string } }) => {
    while (message.raw_status === "ENDLESS");
    return Promise.resolve();
  });
  const consumer = await startTopicConsumer(bus, {
    consumer: SERVICE,
    handlers: { "carriers.updates": { ...handle, maxBatch: 8 } },
  });
  const health = await startBusHealth(bus, config, [consumer]);
  return {
    stop: async () => {
      await consumer.stop();
      await health.stop();
      await bus.close();
    },
  };
});
