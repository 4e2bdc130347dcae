/** @tier all */
import { describe, expect, it } from "@jest/globals";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { startOwnProduct } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

async function get(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url);
  return { status: response.status, text: await response.text() };
}

describe.each(["api", "desk"] as const)("the metrics of %s", (service) => {
  it("are served without a key beside its API, as the contract promises", async () => {
    const { apiUrl, deskUrl } = await startProduct();
    const url = service === "api" ? apiUrl : deskUrl;
    const { status, text } = await get(`${url}/metrics`);
    expect([status, text]).toEqual([200, expect.stringContaining("process_cpu_seconds_total")]);
    expect((await get(`${url}/openapi.json`)).text).toContain('"/metrics"');
  });

  it("are served on the health listener alone with METRICS_PUBLIC=false", async () => {
    const port = await freePort();
    const env = { METRICS_PUBLIC: "false", HEALTH_PORT: String(port) };
    const { supervisor } = await startOwnProduct({ services: [service], env });
    const url = supervisor.service(service).url();
    expect((await get(`${url}/metrics`)).status).toBe(404);
    expect((await get(`${url}/openapi.json`)).text).not.toContain('"/metrics"');
    for (const path of ["/healthz", "/readyz"]) {
      expect((await get(url + path)).status).toBe(200);
      expect((await get(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    }
    const { status, text } = await get(`http://127.0.0.1:${port}/metrics`);
    expect([status, text]).toEqual([200, expect.stringContaining("http_requests_total")]);
  });
});
