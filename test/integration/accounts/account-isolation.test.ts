import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { buildPdf } from "../../support/documents/document-factory.ts";
import { eventually } from "../../support/eventually.ts";
import {
  buildPortOutUpdate,
  openNumberStack,
  type NumberStack,
  type Owner,
} from "../../support/orders/number-stack.ts";

const described = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        parameters: z.array(
          z.looseObject({
            name: z.string().optional(),
            in: z.string().optional(),
            schema: z.looseObject({ format: z.string().optional() }).optional(),
          }),
        ),
      }),
    ),
  ),
});

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly string[];
  readonly idFilters: readonly string[];
}

/** The kind of object that an id in a path names, by the path's prefix; the longest prefix wins. */
const KINDS: readonly (readonly [start: string, parameter: string, kind: string])[] = [
  ["/v2/api_keys", "id", "key"],
  ["/v2/porting_orders", "id", "order"],
  ["/v2/porting_orders", "slug", "slug"],
  ["/v2/porting_orders", "change_id", "change"],
  ["/v2/porting_batches", "batch_id", "batch"],
  ["/v2/documents", "id", "document"],
  ["/v2/numbers", "phone_number", "number"],
  ["/v2/port_outs", "id", "port_out"],
  ["/v2/porting/events", "event_id", "event"],
  ["/v2/webhook_endpoints", "id", "endpoint"],
  ["/v2/webhook_deliveries", "id", "delivery"],
  ["/v2/webhook_recoveries", "id", "recovery"],
  ["/v2/portal_sessions", "id", "portal_session"],
  ["/v2/requirement_groups", "id", "requirement_group"],
];

/** Bodies of the operations that refuse an empty one. */
const BODIES: Readonly<Record<string, unknown>> = {
  "/v2/porting_orders/{id}/comments": { body: "Hello" },
  "/v2/port_outs/{id}/comments": { body: "Hello" },
  "/v2/porting_orders/{id}/changes": { foc_requested: "2026-12-15T15:00:00Z" },
  "/v2/porting_orders/{id}/loa/sign": { signer_name: "Ada Owner", consent: true },
  "/v2/porting_orders/{id}/requirements/{slug}": { field_value: "Owner Inc" },
  "/v2/porting_batches/{batch_id}/requirements": { requirements: { entity_name: "Owner Inc" } },
  "/v2/port_outs/{id}/reject": { code: "invalid_request" },
  "/v2/webhook_endpoints/{id}/recover": { since: "2026-01-01T00:00:00Z", mode: "failed" },
};

const HOLDER = { name: "Owner Inc", requirements: { entity_name: "Owner Inc" } };
const HOOK = "http://127.0.0.1:59999/hook";

let stack: NumberStack;
let owner: Owner;
let stranger: Owner;
let operations: Operation[];
let ids: Map<string, string>;

beforeAll(async () => {
  stack = await openNumberStack();
  owner = await stack.newOwner();
  stranger = await stack.newOwner();
  const document = described.parse((await call(`${stack.product.apiUrl}/openapi.json`)).body);
  // What is elsewhere belongs to no account, such as a logo, which whoever knows its hash may see.
  const owned = Object.entries(document.paths).filter(([path]) => path.startsWith("/v2/"));
  operations = owned.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters }]) => ({
      method: method.toUpperCase(),
      path,
      parameters: [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = ""]) => name),
      idFilters: parameters
        .filter(({ in: place, name, schema }) => {
          return place === "query" && (schema?.format === "uuid" || name === "starting_after");
        })
        .map(({ name = "" }) => name),
    })),
  );
  ids = await makeIds();
});

/** Creates one object of every kind, all owned by the owner. */
async function makeIds(): Promise<Map<string, string>> {
  const made = async (path: string, body: unknown): Promise<Answer> => {
    const answer = await owner.api("POST", path, body);
    if (answer.status > 299) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer;
  };
  const key = textOf(await made("/api_keys", { name: "Spare" }), "id");
  const orders = await made("/porting_orders", {
    phone_numbers: [stack.product.newNumber()],
    losing_carrier: "manual",
  });
  const order = String(dataOf(orders)[0]?.["id"]);
  const change = await placeChange(order);
  const endpoint = textOf(await made("/webhook_endpoints", { url: HOOK }), "id");
  const delivery = textOf(await made(`/webhook_endpoints/${endpoint}/test`, {}), "id");
  const since = { since: "2026-01-01T00:00:00Z", mode: "failed", dry_run: true };
  const recovery = textOf(await made(`/webhook_endpoints/${endpoint}/recover`, since), "id");
  const number = await stack.newNumber(owner);
  const asked = await stack.newNumber(owner);
  await stack.publishPortOut(buildPortOutUpdate({ phone_numbers: [asked] }));
  const firstOf = (path: string): Promise<string> =>
    eventually(async () => {
      const [first] = dataOf(await owner.api("GET", path));
      if (first === undefined) throw new Error(`${path} is empty`);
      return String(first["id"]);
    });
  return new Map([
    ["key", key],
    ["order", order],
    ["batch", textOf(orders, "batch_id")],
    ["slug", "entity_name"],
    ["change", change],
    ["document", await upload("PATCH", `/porting_orders/${order}/requirements/invoice`)],
    ["number", encodeURIComponent(number)],
    ["port_out", await firstOf("/port_outs")],
    ["event", await firstOf("/porting/events?type=porting_order.created")],
    ["endpoint", endpoint],
    ["delivery", delivery],
    ["recovery", recovery],
    ["portal_session", textOf(await made("/portal_sessions", {}), "id")],
    ["requirement_group", textOf(await made("/requirement_groups", HOLDER), "id")],
  ]);
}

/** A change that the carrier has refused: only an order that a carrier has could be asked for one. */
async function placeChange(order: string): Promise<string> {
  const id = randomUUID();
  const at = new Date().toISOString();
  const asked = { foc_requested: null, remove_phone_numbers: [], reason: null, versions: [2] };
  const change = { id, status: "refused", ...asked, detail: null, created_at: at, decided_at: at };
  await stack.database.query("update orders.porting_orders set changes = $1 where id = $2", [
    JSON.stringify([change]),
    order,
  ]);
  return id;
}

/** Uploads a document as the owner; its id. */
async function upload(method: string, path: string): Promise<string> {
  const pdf = new Blob([new Uint8Array(await buildPdf())]);
  const form = (): FormData => {
    const data = new FormData();
    data.set("file", pdf, "invoice.pdf");
    data.set("document_date", new Date().toISOString());
    return data;
  };
  const url = `${stack.product.apiUrl}/v2${path}`;
  const answer = await call(url, { method, key: owner.key, form });
  return textOf(answer, method === "PATCH" ? "field_value" : "id");
}

function kindOf(path: string, parameter: string): string {
  const found = KINDS.find(([start, name]) => path.startsWith(`${start}/`) && name === parameter);
  if (found === undefined) throw new Error(`Nothing makes an id for {${parameter}} of ${path}`);
  return found[2];
}

/** The status of an operation on ids, including downloads, whose answer is not JSON. */
async function ask(who: Owner, { method, path }: Operation, named: readonly string[]) {
  let next = 0;
  const target = path.replaceAll(/\{[^}]*\}/g, () => named[next++] ?? "");
  const hasBody = method === "POST" || method === "PATCH";
  const answer = await fetch(stack.product.apiUrl + target, {
    method,
    headers: {
      Authorization: `Bearer ${who.key}`,
      ...(hasBody ? { "Content-Type": "application/json" } : {}),
    },
    ...(hasBody ? { body: JSON.stringify(BODIES[path] ?? {}) } : {}),
  });
  await answer.arrayBuffer();
  return answer.status;
}

describe("another account's objects", () => {
  it("are 404 for a stranger on every path, whatever kind of id it names", async () => {
    const seen: string[] = [];
    for (const operation of operations) {
      const [first, second] = operation.parameters.map((name) => kindOf(operation.path, name));
      if (first === undefined) continue;
      for (const [kind, id] of ids) {
        const named = second === undefined ? [id] : [id, ids.get(second) ?? ""];
        const status = await ask(stranger, operation, named);
        if (status !== 404) seen.push(`${operation.method} ${operation.path} ${kind}: ${status}`);
      }
    }
    expect(seen).toEqual([]);
  });

  it("are not in a stranger's lists, whichever filter or cursor names them", async () => {
    const seen: string[] = [];
    for (const { method, path, parameters, idFilters } of operations) {
      if (method !== "GET" || parameters.length > 0 || path.endsWith("/stream")) continue;
      for (const filter of idFilters) {
        for (const [kind, id] of ids) {
          const url = `${stack.product.apiUrl}${path}?${filter}=${id}`;
          const { status, body } = await call(url, { key: stranger.key });
          const isEmpty = status === 400 || JSON.stringify(body?.["data"]) === "[]";
          if (!isEmpty) seen.push(`${path}?${filter}=${kind}: ${status} ${JSON.stringify(body)}`);
        }
      }
    }
    expect(seen).toEqual([]);
  });

  it("are no documents for a stranger's orders", async () => {
    const phone_numbers = [stack.product.newNumber()];
    const requirements = { invoice: await upload("POST", "/documents") };
    const body = { phone_numbers, requirements };
    expect(await stranger.api("POST", "/porting_orders", body)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "#/requirements/invoice", code: "unknown_document" }] },
    });
    expect((await owner.api("POST", "/porting_orders", body)).status).toBe(201);
  });

  it("are found by their owner on the same paths", async () => {
    const withIds = operations.filter(({ parameters }) => parameters.length > 0);
    // Deleting operations come last, the parts of an object before the object.
    const weight = ({ method, path }: Operation): number =>
      method === "DELETE" ? 1_000 - path.length : 0;
    const missing: string[] = [];
    for (const operation of withIds.toSorted((a, b) => weight(a) - weight(b))) {
      const kinds = operation.parameters.map((name) => kindOf(operation.path, name));
      const status = await ask(
        owner,
        operation,
        kinds.map((kind) => ids.get(kind) ?? ""),
      );
      if (status === 404 || status === 422 || status >= 500) {
        missing.push(`${operation.method} ${operation.path}: ${status}`);
      }
    }
    expect(withIds.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });
});
