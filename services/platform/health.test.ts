import { describe, expect, it } from "@jest/globals";

import { createReadiness, startHealthServer } from "./health.ts";
import { createLogger } from "./logger.ts";
import { createMetrics } from "./metrics.ts";

const log = createLogger("test", "silent");
const fails = () => Promise.reject(new Error("10.0.0.7 refused"));
const hangs = () => new Promise<void>(() => undefined);

describe("createReadiness", () => {
  it("names dependencies that fail or do not respond in time", async () => {
    const checks = { registry: fails, broker: hangs, database: () => Promise.resolve() };
    expect(
      await createReadiness(checks, { log, metrics: createMetrics("test"), deadlineMs: 10 })(),
    ).toEqual(["broker", "registry"]);
  });

  it("runs the checks once for callers at the same time, and again afterwards", async () => {
    let runs = 0;
    const check = () => {
      runs += 1;
      return Promise.resolve();
    };
    const readiness = createReadiness({ database: check }, { log, metrics: createMetrics("test") });
    await Promise.all([readiness(), readiness()]);
    expect(runs).toBe(1);
    await readiness();
    expect(runs).toBe(2);
  });
});

describe("startHealthServer", () => {
  it("serves healthz, readyz and metrics, and nothing else", async () => {
    let away = false;
    const checks = { broker: () => (away ? fails() : Promise.resolve()) };
    const metrics = createMetrics("test");
    metrics.counter({ name: "things_total", help: "Things" }).inc();
    const readiness = createReadiness(checks, { log, metrics });
    const server = await startHealthServer({ host: "127.0.0.1", port: 0, readiness, metrics });
    const get = (path: string, method = "GET") =>
      fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    expect((await get("/healthz")).status).toBe(200);
    expect((await get("/readyz")).status).toBe(200);
    away = true;
    const response = await get("/readyz");
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    const body = await response.text();
    expect(body).toContain('"detail":"broker"');
    expect(body).not.toContain("10.0.0.7");
    const shown = async () => (await get("/metrics")).text();
    expect(await shown()).toContain('things_total{service="test"} 1');
    expect(await shown()).toContain('dependency_ready{dependency="broker",service="test"} 0');
    away = false;
    expect(await shown()).toContain('dependency_ready{dependency="broker",service="test"} 1');
    expect((await get("/nope")).status).toBe(404);
    expect((await get("/healthz", "POST")).headers.get("allow")).toBe("GET, HEAD");
    await server.stop();
  });
});
