import { expect, it } from "@jest/globals";
import { httpStatus } from "../../../infra/start/supervisor/http-status.ts";
import type { SupervisedService } from "../../../infra/start/supervisor/supervisor.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { startPeriodic } from "../../../services/platform/periodic.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

const CLIENTS = 8;
const log = createLogger("test", "silent");

/** Passes requests on to the copies that were ready at its last look, as a load balancer does. */
async function balance(copies: readonly SupervisedService[]) {
  const ready = new Set<SupervisedService>();
  const look = async (): Promise<void> => {
    for (const copy of copies) {
      if ((await httpStatus(`${copy.url()}/readyz`)) === 200) ready.add(copy);
      else ready.delete(copy);
    }
  };
  await look();
  const looking = startPeriodic({ name: "look", everyMs: 200, run: look, log });
  endAfterTests(() => looking.stop());
  let next = 0;
  return {
    isReady: (copy: SupervisedService) => ready.has(copy),
    url: () => [...ready][(next += 1) % ready.size]?.url() ?? "http://none.invalid",
  };
}

/** Sends requests over kept connections until `stop`, which returns what did not succeed. */
function sendRequests(urlOf: () => string, key: string) {
  const faults: string[] = [];
  let succeeded = 0;
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      try {
        const headers = { Authorization: `Bearer ${key}` };
        const answer = await fetch(`${urlOf()}/v2/porting_orders`, { headers });
        await answer.arrayBuffer();
        if (answer.status === 200) succeeded += 1;
        else faults.push(String(answer.status));
      } catch (error) {
        faults.push(String(error instanceof Error ? (error.cause ?? error) : error));
      }
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    succeeded: () => succeeded,
    stop: async () => {
      isOver = true;
      await Promise.all(clients);
      return faults;
    },
  };
}

async function restart(product: OwnProduct, copy: SupervisedService): Promise<void> {
  await copy.program.stop(20_000);
  copy.program.start();
  await product.supervisor.whenReady();
}

it("no request fails while the copies of the API are restarted one after the other", async () => {
  const product = await startOwnProduct({ services: ["api", "api#2"] });
  const copies = (["api", "api#2"] as const).map((name) => product.supervisor.service(name));
  const balancer = await balance(copies);
  const requests = sendRequests(balancer.url, product.apiKey);
  endAfterTests(() => requests.stop());
  for (const copy of copies) {
    const before = requests.succeeded();
    await restart(product, copy);
    const within = { timeoutMs: 20_000, what: "requests to the restarted copy" };
    await until(() => balancer.isReady(copy) && requests.succeeded() > before + 100, within);
  }
  expect(await requests.stop()).toEqual([]);
});
