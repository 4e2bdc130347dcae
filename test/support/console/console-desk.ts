import type { Browser } from "playwright-core";
import { z } from "zod";
import type { OperatorRole } from "../../../services/domain/account/rules/operator-role.ts";
import type { CopyName } from "../../../infra/start/supervisor/service-table.ts";
import { eventually } from "../eventually.ts";
import { openBrowser } from "../http/browser.ts";
import { call, dataOf, textOf, type Answer } from "../http/call.ts";
import {
  fulfilOrder,
  submitOrder,
  type CustomerAccess,
  type DeskAccess,
} from "../orders/fulfil-order.ts";
import { accountOf } from "../product/account-of.ts";
import { startOwnProduct, type OwnProduct, type Product } from "../product/product.ts";
import { startProduct } from "../product/shared-products.ts";
import { connectClient } from "../stack/test-client.ts";

/** A product with its desk's console and a browser; the documents of its orders are real. */
export interface ConsoleDesk<P extends Product = Product> extends CustomerAccess, DeskAccess {
  readonly product: P;
  readonly browser: Browser;
  /** The id of the customer's account. */
  readonly account: string;
  /** The page of the account's cases, in a view and by other filters of the URL. */
  queue(view?: string, filters?: string): string;
  /** The page of a case, from which the next one is of the account, too. */
  caseAt(orderId: string, filters?: string): string;
  /** One request of the first operator, an admin. */
  desk(method: string, path: string, body?: unknown): Promise<Answer>;
  /** One request of the customer. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A new operator, whose name gets a suffix that no other has. */
  newOperator(who: string, role: OperatorRole): Promise<ConsoleOperator>;
  /** A draft of a local US number that the desk itself carries out. */
  newDraft(fields?: Readonly<Record<string, unknown>>): Promise<string>;
  /** A submitted order with everything that it needs, and an open case; returns its id. */
  newCase(fields?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Submits an order once its documents are checked, and waits until its case is open. */
  submit(orderId: string): Promise<void>;
}

export interface ConsoleOperator {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

const SERVICES: readonly CopyName[] = [
  "api",
  "desk",
  "requirement-review",
  "order-lifecycle",
  "outbox-relay",
];

let operators = 0;

interface ConsoleDeskOptions {
  readonly services?: readonly CopyName[];
  readonly env?: NodeJS.ProcessEnv;
}

/** At the run's shared product; with options, at one of the test's own, with the services that reviews need. */
export async function openConsoleDesk(): Promise<ConsoleDesk>;
export async function openConsoleDesk(
  options: ConsoleDeskOptions,
): Promise<ConsoleDesk<OwnProduct>>;
export async function openConsoleDesk(options?: ConsoleDeskOptions): Promise<ConsoleDesk> {
  const starting =
    options === undefined ? startProduct() : startOwnProduct({ services: SERVICES, ...options });
  const [browser, product] = await Promise.all([openBrowser(), starting]);
  return consoleDeskOf(product, browser);
}

export async function consoleDeskOf<P extends Product>(
  product: P,
  browser: Browser,
): Promise<ConsoleDesk<P>> {
  const { apiUrl, apiKey, deskUrl, deskToken } = product;
  const desk: ConsoleDesk["desk"] = (method, path, body) =>
    call(`${deskUrl}/desk/v1${path}`, { method, key: deskToken, body });
  const api: ConsoleDesk["api"] = (method, path, body) =>
    call(apiUrl + path, { method, key: apiKey, body });
  const newDraft: ConsoleDesk["newDraft"] = async (fields = {}) => {
    const phone_numbers = [product.newNumber()];
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
  const account = await accountOf(await connectClient(product.databaseUrl), apiKey);
  return {
    product,
    browser,
    account,
    queue: (view = "all", filters = "") => `/reviews?view=${view}&account_id=${account}${filters}`,
    caseAt: (orderId, filters = "") => `/reviews/${orderId}?account_id=${account}${filters}`,
    apiUrl,
    apiKey,
    deskUrl,
    deskToken,
    desk,
    api,
    newOperator: async (who, role) => {
      operators += 1;
      const name = `${who} ${process.pid}-${operators}`;
      const id = textOf(await desk("POST", "/operators", { name, role }), "id");
      const token = textOf(await desk("POST", `/operators/${id}/tokens`, {}), "token");
      return { id, name, token };
    },
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
