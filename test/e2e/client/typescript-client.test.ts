import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { clientFiles, GENERATED } from "../../../infra/client/client-files.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { ApiError } from "../../../packages/client/errors.ts";
import { PortingClient } from "../../../packages/client/porting-client.ts";
import { constructEvent } from "../../../packages/client/webhooks.ts";
import { eventually } from "../../support/eventually.ts";
import { WITH_TEST_DOCUMENTS } from "../../support/orders/filling.ts";
import { confirmAtDesk } from "../../support/orders/fulfil-order.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

let product: Product;
let receiver: WebhookReceiver;
let client: PortingClient;

beforeAll(async () => {
  [product, receiver] = await Promise.all([startProduct(), startWebhookReceiver()]);
  // On a busy machine the API takes longer to be back than most customers would wait.
  client = new PortingClient({
    baseUrl: product.apiUrl,
    apiKey: product.apiKey,
    maxRetries: 10,
  });
});

describe("the TypeScript client", () => {
  it("is made from the document that the API serves", async () => {
    const served = (await (await fetch(`${product.apiUrl}/openapi.json`)).json()) as object;
    for (const [name, text] of clientFiles(served)) {
      expect(text).toBe(await readFile(join(projectRoot, GENERATED, name), "utf8"));
    }
  });

  it("ports a number, uploads and reads documents, and verifies and types each webhook", async () => {
    const endpoint = await client.createWebhookEndpoint({ url: `${receiver.url}/hook` });
    const number = product.newNumber();
    const { data } = await client.createPortingOrder({ phone_numbers: [number] });
    const [{ id } = { id: "" }] = data;
    const { fields, readiness } = await client.fillOrder(id, WITH_TEST_DOCUMENTS);
    expect(readiness).toEqual(expect.objectContaining({ ready: true, blocking: [] }));
    expect(fields.at(-1)).toEqual({ slug: "loa", value: expect.stringMatching(/^signed by \S/) });
    const letter = Buffer.from(await client.getLoa(id));
    expect(letter.subarray(0, 5).toString()).toBe("%PDF-");
    expect((await client.submitPortingOrder(id)).status).toBe("in_review");
    await confirmAtDesk(product, id);
    const activated = await eventually(() => {
      const events = receiver.received.map(({ body, headers }) =>
        constructEvent(body, headers, endpoint.signing_secret),
      );
      const found = events.find(({ type }) => type === "number.activated");
      if (found?.type !== "number.activated") throw new Error("the number is not active yet");
      return found;
    });
    expect(activated.payload).toMatchObject({ phone_number: number, porting_order_id: id });
    expect((await client.getNumber(number)).status).toBe("active");
  });

  it("reads lists page by page", async () => {
    const asked = { order: "asc", limit: 3 } as const;
    const paged = await client.events(asked).toArray();
    const whole = await client.listPortingEvents({ order: "asc", limit: 250 }).first();
    expect(paged.length).toBeGreaterThan(3);
    expect(paged.map(({ id }) => id)).toEqual(whole.data.map(({ id }) => id));
    const pages = [];
    for await (const page of client.events(asked).pages()) pages.push(page.data.length);
    expect(Math.max(...pages)).toBe(3);
  });

  it("creates once under one key", async () => {
    const body = { phone_numbers: [product.newNumber()] };
    const options = { idempotencyKey: "the-same" };
    const first = await client.createPortingOrder(body, options);
    const second = await client.createPortingOrder(body, options);
    expect(second.data.map(({ id }) => id)).toEqual(first.data.map(({ id }) => id));
  });

  it("throws the problem, with its faults and the request id", async () => {
    const error = await client
      .createPortingOrder({ phone_numbers: ["+1"] })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof ApiError)) throw error;
    expect(error).toMatchObject({ status: 422, code: "validation_failed" });
    expect(error.faults).toMatchObject([{ pointer: "#/phone_numbers/0", code: "invalid_number" }]);
    expect(error.requestId).toMatch(/^[\w-]{8,64}$/);
  });
});
