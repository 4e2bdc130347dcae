import type { OperatorRole } from "../../../services/domain/account/rules/operator-role.ts";
import type pg from "pg";
import { z } from "zod";
import { systemClock } from "../../../services/platform/clock.ts";
import { operatorCommands } from "../../../services/requirement-review/commands/manage-operators.ts";
import { call, dataOf, type Answer } from "../http/call.ts";
import { eventually } from "../eventually.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";
import { startOwnProduct, type OwnProduct } from "../product/product.ts";
import { openTestDataSource } from "../stack/test-pool.ts";
import { connectClient } from "../stack/test-client.ts";

const fields = z.array(
  z.looseObject({ slug: z.string(), field_type: z.string(), example: z.string() }),
);

/** One operator's access to the desk. */
export interface Operator {
  readonly desk: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

/**
 * The services that reviews need; documents are written directly to the database instead of uploaded.
 * `desk` is the first operator's.
 */
export interface ReviewDesk extends Operator {
  readonly product: OwnProduct;
  readonly database: pg.Client;
  readonly documentsDir: string;
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  addOperator(name: string, role?: OperatorRole): Promise<Operator>;
  newOrder(): Promise<string>;
  /** An order whose mandatory fields have values and whose documents are marked as passed; returns its id. */
  newReadyOrder(): Promise<string>;
  /** A submitted order with an open review case; returns its id. */
  newCase(): Promise<string>;
  submit(orderId: string): Promise<void>;
}

let nextNumber = 100;

export async function openReviewDesk(env: NodeJS.ProcessEnv = {}): Promise<ReviewDesk> {
  const documentsDir = temporaryFolder("documents");
  const product = await startOwnProduct({
    services: ["api", "requirement-review", "order-lifecycle", "outbox-relay"],
    env: { DOCUMENTS_DIR: documentsDir, ...env },
  });
  const database = await connectClient(product.databaseUrl);
  const api: ReviewDesk["api"] = (method, path, body) =>
    call(product.apiUrl + path, { method, key: product.apiKey, body });
  const { desk } = operatorAt(product.deskUrl, product.deskToken);

  const newOrder = async (): Promise<string> => {
    nextNumber += 1;
    const made = await api("POST", "/v2/porting_orders", {
      phone_numbers: [`+12125550${nextNumber}`],
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
    documentsDir,
    api,
    desk,
    addOperator: async (name, role = "admin") =>
      operatorAt(product.deskUrl, await addOperator(product.databaseUrl, { name, role })),
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

/** The token of a new operator. */
async function addOperator(
  url: string,
  { name, role }: { readonly name: string; readonly role: OperatorRole },
): Promise<string> {
  const database = await openTestDataSource(url, 1);
  const commands = operatorCommands({ ...database, clock: systemClock });
  await commands.add(name, role);
  const [token = ""] = await commands.token(name);
  return token;
}
