import { readdir } from "node:fs/promises";
import { expect } from "@jest/globals";
import { z } from "zod";
import { dataOf, type Answer } from "../http/call.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";
import { startTestApi, type TestApi } from "../product/test-api.ts";

export const ORDERS = "/v2/porting_orders";
export const SIGN = { signer_name: "Grace O’Hopper", signer_title: "Director", consent: true };

/** What a letter of authorization states. */
export const VALUES = {
  entity_name: "Łódź Dental & Söhne LLC",
  auth_person_name: "Grace O’Hopper",
  service_address: "350 5th Ave Suite 300\nNew York\nNY 10118\nUS",
  account_number: "8772-canary-90210",
  billing_phone_number: "+12125551234",
};

export interface LetterFile {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** The API with orders whose letters can be signed. */
export interface LetterApi extends TestApi {
  newOrder(values?: Partial<typeof VALUES>, numbers?: number): Promise<string>;
  fill(orderId: string, slug: string, value: string): Promise<void>;
  sign(orderId: string, body?: unknown): Promise<Answer>;
  file(path: string): Promise<LetterFile>;
  letterOf(orderId: string): Promise<LetterFile>;
  /** The order's requirement that the letter fulfils. */
  loaOf(orderId: string): Promise<Record<string, unknown>>;
  documentIds(): Promise<string[]>;
  /** The documents' files, without the marks for the sweep. */
  keptFiles(): Promise<string[]>;
}

export async function openLetterApi(): Promise<LetterApi> {
  const documents = temporaryFolder("letters");
  const env = { LOA_CARRIER_NAME: "New Carrier Inc.", DOCUMENTS_DIR: documents };
  const api = await startTestApi({ env });
  const fill = async (id: string, slug: string, value: string): Promise<void> => {
    const path = `${ORDERS}/${id}/requirements/${slug}`;
    expect((await api.call("PATCH", path, { field_value: value })).status).toBe(200);
  };
  const file = async (path: string): Promise<LetterFile> => {
    const headers = { Authorization: `Bearer ${api.product.apiKey}` };
    const response = await fetch(api.product.apiUrl + path, { headers });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("content-type");
    return { status: response.status, type, headers: response.headers, bytes };
  };
  return {
    ...api,
    newOrder: async (values = VALUES, count = 1) => {
      const phone_numbers = Array.from({ length: count }, () => api.product.newNumber());
      const made = await api.call("POST", ORDERS, { phone_numbers });
      const id = z.string().parse(dataOf(made)[0]?.["id"]);
      for (const [slug, value] of Object.entries(values)) await fill(id, slug, value);
      return id;
    },
    fill,
    sign: (id, body = SIGN) => api.call("POST", `${ORDERS}/${id}/loa/sign`, body),
    file,
    letterOf: (id) => file(`${ORDERS}/${id}/loa`),
    loaOf: async (id) => {
      const { body } = await api.call("GET", `${ORDERS}/${id}`);
      const all = z.array(z.record(z.string(), z.unknown())).parse(body?.["requirements"]);
      return all.find((one) => one["slug"] === "loa") ?? {};
    },
    documentIds: async () => {
      const { rows } = await api.database.query<{ id: string }>("select id from orders.documents");
      return rows.map((row) => row.id).sort();
    },
    keptFiles: async () => {
      const entries = await readdir(documents, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      return files.filter((name) => !name.endsWith(".kept")).sort();
    },
  };
}
