import type { Browser } from "playwright-core";
import { z } from "zod";
import type { OperatorRole } from "../../../services/domain/account/rules/operator-role.ts";
import type { CopyName } from "../../../infra/start/supervisor/service-table.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { operatorCommands } from "../../../services/requirement-review/commands/manage-operators.ts";
import { eventually } from "../eventually.ts";
import { openBrowser } from "../http/browser.ts";
import { call, dataOf, type Answer } from "../http/call.ts";
import {
  fulfilOrder,
  submitOrder,
  type CustomerAccess,
  type DeskAccess,
} from "../orders/fulfil-order.ts";
import { startOwnProduct, type OwnProduct } from "../product/product.ts";
import { openTestDataSource } from "../stack/test-pool.ts";

/** A product with its desk's console and a browser; the documents of its orders are real. */
export interface ConsoleDesk extends CustomerAccess, DeskAccess {
  readonly product: OwnProduct;
  readonly browser: Browser;
  /** One request of the first operator, an admin. */
  desk(method: string, path: string, body?: unknown): Promise<Answer>;
  /** One request of the customer. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The token of a new operator. */
  newToken(name: string, role: OperatorRole): Promise<string>;
  /** A draft of a local US number that the desk itself carries out. */
  newDraft(fields?: Readonly<Record<string, unknown>>): Promise<string>;
  /** A submitted order with everything that it needs, and an open case; returns its id. */
  newCase(fields?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Submits an order once its documents are checked, and waits until its case is open. */
  submit(orderId: string): Promise<void>;
}

const SERVICES: readonly CopyName[] = [
  "api",
  "requirement-review",
  "order-lifecycle",
  "outbox-relay",
];

let nextNumber = 100;

export async function openConsoleDesk({
  services = SERVICES,
  env = {},
}: {
  readonly services?: readonly CopyName[];
  readonly env?: NodeJS.ProcessEnv;
} = {}): Promise<ConsoleDesk> {
  const [browser, product] = await Promise.all([openBrowser(), startOwnProduct({ services, env })]);
  return consoleDeskOf(product, browser);
}

export function consoleDeskOf(product: OwnProduct, browser: Browser): ConsoleDesk {
  const { apiUrl, apiKey, deskUrl, deskToken } = product;
  const desk: ConsoleDesk["desk"] = (method, path, body) =>
    call(`${deskUrl}/desk/v1${path}`, { method, key: deskToken, body });
  const api: ConsoleDesk["api"] = (method, path, body) =>
    call(apiUrl + path, { method, key: apiKey, body });
  const newDraft: ConsoleDesk["newDraft"] = async (fields = {}) => {
    nextNumber += 1;
    const phone_numbers = [`+12125550${nextNumber}`];
    const body = { phone_numbers, losing_carrier: "manual", ...fields };
    return z.string().parse(dataOf(await api("POST", "/v2/porting_orders", body))[0]?.["id"]);
  };
  const submit = async (orderId: string): Promise<void> => {
    await eventually(async () => {
      const { body } = await api("GET", `/v2/porting_orders/${orderId}/readiness`);
      if (body?.["ready"] !== true) throw new Error(JSON.stringify(body));
    });
    await submitOrder({ apiUrl, apiKey }, orderId);
    await eventually(async () => {
      const { body } = await desk("GET", `/reviews/${orderId}`);
      if (body?.["state"] !== "open") throw new Error("the case is not open yet");
    });
  };
  return {
    product,
    browser,
    apiUrl,
    apiKey,
    deskUrl,
    deskToken,
    desk,
    api,
    newToken: (name, role) => issueToken(product.databaseUrl, { name, role }),
    newDraft,
    newCase: async (fields) => {
      const orderId = await newDraft(fields);
      await fulfilOrder({ apiUrl, apiKey }, orderId);
      await submit(orderId);
      return orderId;
    },
    submit,
  };
}

async function issueToken(
  databaseUrl: string,
  { name, role }: { readonly name: string; readonly role: OperatorRole },
): Promise<string> {
  const database = await openTestDataSource(databaseUrl, 1);
  const commands = operatorCommands({ ...database, clock: systemClock });
  await commands.add(name, role);
  const [token = ""] = await commands.token(name);
  return token;
}
