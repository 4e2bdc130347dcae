import { startProbe, otherThan } from "../probe.ts";
import { partTargets } from "../killer.ts";
import { none, type Scenario } from "../scenario.ts";

export const killBroker: Scenario = {
  name: "kill-broker",
  what: "kill -9 of the broker, while a customer goes on creating drafts",
  faults: ["F6"],
  promises: ["P1", "P2", "P9"],
  seconds: 50,
  isQuick: true,
  run: async ({ place, product, killed, recover }) => {
    const url = `${product.apiUrl}/v2/porting_orders?limit=1`;
    const probe = startProbe(url, { key: product.apiKey, everyMs: 50 });
    const broker = partTargets(place.stack).find(({ name }) => name === "kafka");
    await broker?.kill();
    killed("kafka");
    await recover();
    return [none("requests that failed meanwhile", otherThan(await probe.stop(), [200]))];
  },
};
