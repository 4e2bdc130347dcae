import type { CopyName } from "../../../infra/start/supervisor/service-table.ts";
import type { OperatorRole } from "../../../services/domain/account/rules/operator-role.ts";
import type pg from "pg";
import { z } from "zod";
import { call, dataOf, textOf, type Answer } from "../http/call.ts";
import { eventually } from "../eventually.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";
import { accountOf } from "../product/account-of.ts";
import { startOwnProduct, type OwnProduct, type Product } from "../product/product.ts";
import { startProduct } from "../product/shared-products.ts";
import { connectClient } from "../stack/test-client.ts";

const fields = z.array(
  z.looseObject({ slug: z.string(), field_type: z.string(), example: z.string() }),
);

/** One operator's access to the desk. */
export interface Operator {
  readonly desk: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

/** An operator whom the test has added, as answers name people. */
export interface AddedOperator extends Operator {
  readonly person: { readonly id: string; readonly name: string };
}

/**
 * A product as reviews need it; documents are written directly to the database instead of uploaded. `desk` is the first
 * operator's.
 */
export interface ReviewDesk<P extends Product = Product> extends Operator {
  readonly product: P;
  readonly database: pg.Client;
  /** The id of the customer's account. */
  readonly account: string;
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Their name gets a suffix that no other operator of the product has. */
  addOperator(name: string, role?: OperatorRole): Promise<AddedOperator>;
  newOrder(): Promise<string>;
  /** An order whose mandatory fields have values and whose documents are marked as passed; returns its id. */
  newReadyOrder(): Promise<string>;
  /** A submitted order with an open review case; returns its id. */
  newCase(): Promise<string>;
  submit(orderId: string): Promise<void>;
}

/** A product of the test's own, with the services that reviews need. */
export interface OwnReviewDesk extends ReviewDesk<OwnProduct> {
  readonly documentsDir: string;
}

let added = 0;

const SERVICES = ["api", "desk", "requirement-review", "order-lifecycle", "outbox-relay"] as const;

/** On the run's shared product; with variables, on one of the test's own. */
export async function openReviewDesk(): Promise<ReviewDesk>;
export async function openReviewDesk(env: NodeJS.ProcessEnv): Promise<OwnReviewDesk>;
export async function openReviewDesk(env?: NodeJS.ProcessEnv): Promise<ReviewDesk> {
  return env === undefined ? reviewDeskOf(await startProduct()) : openOwnReviewDesk({ env });
}

/** For a test that kills, pauses or sets something; `also` are services beside those that reviews need. */
export async function openOwnReviewDesk({
  also = [],
  env = {},
}: {
  readonly also?: readonly CopyName[];
  readonly env?: NodeJS.ProcessEnv;
} = {}): Promise<OwnReviewDesk> {
  const documentsDir = temporaryFolder("documents");
  const product = await startOwnProduct({
    services: [...SERVICES, ...also],
    env: { DOCUMENTS_DIR: documentsDir, ...env },
  });
  return { ...(await reviewDeskOf(product)), documentsDir };
}

/** On a product that runs. */
export async function reviewDeskOf<P extends Product>(product: P): Promise<ReviewDesk<P>> {
  const database = await connectClient(product.databaseUrl);
  const api: ReviewDesk["api"] = (method, path, body) =>
    call(product.apiUrl + path, { method, key: product.apiKey, body });
  const { desk } = operatorAt(product.deskUrl, product.deskToken);

  const newOrder = async (): Promise<string> => {
    const made = await api("POST", "/v2/porting_orders", {
      phone_numbers: [product.newNumber()],
      losing_carrier: "manual",
    });
    return z.string().parse(dataOf(made)[0]?.["id"]);
  };
  const newReadyOrder = async (): Promise<string> => {
    const orderId = await newOrder();
    const { body } = await api("GET", `/v2/porting_orders/${orderId}`);
    for (const field of fields.parse(body?.["requirements"])) {
      if (field.field_type === "document") continue;
      const path = `/v2/porting_orders/${orderId}/requirements/${field.slug}`;
      const written = await api("PATCH", path, { field_value: field.example });
      if (written.status !== 200) throw new Error(`${field.slug}: ${written.status}`);
    }
    await database.query(
      `insert into orders.requirements (order_id, slug, document_id, document_date, check_state)
        select o.id, item->>'slug', gen_random_uuid(), now(), 'passed'
        from orders.porting_orders o
        join orders.requirement_profiles p on p.id = o.requirement_profile_id
        cross join jsonb_array_elements(p.items) item
        where o.id = $1 and item->>'field_type' = 'document' and (item->>'mandatory')::boolean`,
      [orderId],
    );
    return orderId;
  };
  const submit = async (orderId: string): Promise<void> => {
    const answer = await api("POST", `/v2/porting_orders/${orderId}/submit`, {});
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    await eventually(async () => {
      const { body } = await desk("GET", `/reviews/${orderId}`);
      if (body?.["state"] !== "open") throw new Error("the case is not open yet");
    });
  };
  return {
    product,
    database,
    account: await accountOf(database, product.apiKey),
    api,
    desk,
    addOperator: async (who, role = "admin") => {
      added += 1;
      const name = `${who} ${process.pid}-${added}`;
      const id = textOf(await desk("POST", "/operators", { name, role }), "id");
      const issued = await desk("POST", `/operators/${id}/tokens`, {});
      return { ...operatorAt(product.deskUrl, textOf(issued, "token")), person: { id, name } };
    },
    newOrder,
    newReadyOrder,
    newCase: async () => {
      const orderId = await newReadyOrder();
      await submit(orderId);
      return orderId;
    },
    submit,
  };
}

function operatorAt(deskUrl: string, key: string): Operator {
  return {
    desk: (method, path, body) => call(`${deskUrl}/desk/v1${path}`, { method, key, body }),
  };
}
