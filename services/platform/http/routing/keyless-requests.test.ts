import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { startThingsApp, type ThingsApp } from "../../../../test/support/http/things-app.ts";
import { createMetrics, type Metrics } from "../../metrics.ts";
import type { ApiDescription } from "../../openapi/describe-api.ts";

const DESCRIPTION: ApiDescription = {
  title: "Things",
  version: "1",
  description: "Things.",
  sections: [],
  contact: "Us",
  key: "A key.",
  protected: [],
  limited: false,
  documents: [{ path: "/messages.json", content: () => ({ messages: [] }) }],
};

let made = 0;
let limited: ThingsApp;
let unlimited: ThingsApp;

beforeAll(async () => {
  const metrics = createMetrics("test");
  const counted: Metrics = {
    ...metrics,
    page: (accept) => {
      made += 1;
      return metrics.page(accept);
    },
  };
  limited = await startThingsApp({ metrics: counted, description: DESCRIPTION });
  unlimited = await startThingsApp({ description: { ...DESCRIPTION, limitsAddresses: false } });
});

afterAll(() => Promise.all([limited.stop(), unlimited.stop()]));

function statuses({ url }: ThingsApp, path: string, count: number): Promise<number[]> {
  const one = async (): Promise<number> => {
    const answer = await fetch(url + path);
    await answer.arrayBuffer();
    return answer.status;
  };
  return Promise.all(Array.from({ length: count }, one));
}

const refused = (found: readonly number[]) => found.filter((status) => status === 429).length;

describe("without a key", () => {
  it("metrics are made once for all who ask at the same time", async () => {
    made = 0;
    const begun = performance.now();
    expect(await statuses(limited, "/metrics", 40)).toEqual(Array<number>(40).fill(200));
    expect(made).toBeLessThanOrEqual(1 + (performance.now() - begun) / 250);
  });

  it("an address reads the description 60 times a minute, and the documents beside it 240 times", async () => {
    expect(refused(await statuses(limited, "/openapi.json", 70))).toBe(10);
    for (const none of [0, 0, 0]) {
      expect(refused(await statuses(limited, "/messages.json", 80))).toBe(none);
    }
    expect(refused(await statuses(limited, "/messages.json", 5))).toBe(5);
  });

  it("addresses are not counted where they are not told apart", async () => {
    expect(refused(await statuses(unlimited, "/openapi.json", 70))).toBe(0);
  });
});
