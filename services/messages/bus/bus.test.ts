import { expect, it } from "@jest/globals";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { readKafkaSecurity } from "../../platform/kafka/client-security.ts";
import { createLogger } from "../../platform/logger.ts";
import { openConsumingBus } from "./bus.ts";

const NOBODY = "127.0.0.1:1";

// It listened last, so a supervisor took it for hung while Kafka was away, and ended it every three minutes.
it("a service that consumes answers while all that it waits for is away, and stops", async () => {
  const port = await freePort();
  const stopping = new AbortController();
  const opening = openConsumingBus({
    config: {
      ...readKafkaSecurity({}),
      DATABASE_URL: `postgresql://${NOBODY}/porting`,
      DATABASE_ROLE: "none",
      DATABASE_POOL_SIZE: 1,
      KAFKA_BROKERS: [NOBODY],
      SCHEMA_REGISTRY_URL: `http://${NOBODY}`,
      TOPIC_PREFIX: "",
      KAFKA_SESSION_TIMEOUT: 6_000,
      LISTEN_HOST: "127.0.0.1",
      HEALTH_PORT: port,
    },
    service: "test",
    log: createLogger("test", "silent"),
    signal: stopping.signal,
  });
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  await eventually(async () => expect((await get("/healthz")).status).toBe(200));
  expect(await (await get("/readyz")).json()).toMatchObject({
    detail: "Not ready: broker, database.",
  });
  stopping.abort();
  await expect(opening).rejects.toThrow();
  await expect(get("/healthz")).rejects.toThrow();
});
