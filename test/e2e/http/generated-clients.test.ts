/** @tier nightly @needs python3 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import {
  compileTypeScript,
  DOCUMENT,
  GENERATORS,
  installGenerators,
  runStory,
  spectralFindings,
  type ClientGenerators,
} from "../../support/openapi/client-generators.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";

const DEADLINE_MS = 300_000;

/** Programs that use the TypeScript clients: names, and types that later versions may add values to. */
const PROGRAMS = {
  "typescript-fetch": `
import { LettersOfAuthorizationApi, PortingOrdersApi, RequirementsApi, type PortingOrder } from "./typescript-fetch/index";
const order: PortingOrder = await new PortingOrdersApi().getPortingOrder({ id: "" });
const isDone: boolean = order.status === "completed";
const due: Date | null = order.nextAction.dueAt;
const letter: Blob = await new LettersOfAuthorizationApi().getLoa({ id: "" });
await new LettersOfAuthorizationApi().signLoa({ id: "", signLoaRequest: { signerName: "", consent: true } });
// A document instead of a value: this generator knows one media type of an operation.
const change = { id: "", slug: "invoice", updatePortingOrderRequirementRequest: { fieldValue: "" } };
await new RequirementsApi().updatePortingOrderRequirement(change, async ({ init }) => {
  const { "Content-Type": json, ...headers } = init.headers ?? {};
  return { headers, body: new FormData() };
});
export { isDone, due, letter };
`,
  "openapi-typescript": `
import type { components, operations, webhooks } from "./openapi-typescript/api";
type Named = components["schemas"];
const known: Named["PortingOrderStatus"] = "draft";
const later: Named["PortingOrderStatus"] = "a status of a later version";
const payload = {} as Named["PortingOrderStatusChangedPayload"];
const status: string = payload.porting_order.status;
type Sent = webhooks["port_out.created"]["post"]["requestBody"]["content"]["application/json"];
type Signed = operations["signLoa"]["responses"][201]["content"]["application/json"];
export type { Sent, Signed };
export { known, later, status };
`,
  orval: `
import { createPortingOrder, signLoa, type PortingOrder } from "./orval/client";
const created = await createPortingOrder({ phone_numbers: ["+12125550123"] });
const first: PortingOrder | undefined = created.status === 201 ? created.data.data[0] : undefined;
await signLoa("", { signer_name: "", consent: true });
export { first };
`,
} as const;

let product: Product;
let generators: ClientGenerators;
let folder: string;

beforeAll(async () => {
  [generators, product] = await Promise.all([installGenerators(), startProduct()]);
  folder = temporaryFolder("clients");
  const document = await (await fetch(`${product.apiUrl}/openapi.json`)).text();
  await writeFile(join(folder, DOCUMENT), document);
}, DEADLINE_MS);

describe("the customers' OpenAPI document", () => {
  it(
    "has no fault, warning or hint by Spectral's rules",
    async () => expect(await spectralFindings(generators, folder)).toBe(""),
    DEADLINE_MS,
  );
});

describe("a client generated from the customers' OpenAPI document", () => {
  it.each(["typescript-fetch", "openapi-typescript", "orval"] as const)(
    "by %s compiles, with the names and types that the document promises",
    async (name) => {
      await GENERATORS[name](generators, folder);
      await writeFile(join(folder, `${name}.ts`), PROGRAMS[name]);
      await compileTypeScript(folder, [`${name}.ts`, `${name}/**/*.ts`]);
    },
    DEADLINE_MS,
  );

  it(
    "by openapi-python-client ports a number as in the quick start",
    async () => {
      await GENERATORS["openapi-python-client"](generators, folder);
      const { apiUrl, apiKey, deskUrl, deskToken } = product;
      const phoneNumber = product.newNumber();
      const access = { API_URL: apiUrl, API_KEY: apiKey, PHONE_NUMBER: phoneNumber };
      const desk = { DESK_URL: deskUrl, DESK_TOKEN: deskToken };
      const seen: unknown = JSON.parse(await runStory(generators, folder, { ...access, ...desk }));
      expect(seen).toEqual({
        refused: ["validation_failed", "invalid_number", "#/phone_numbers/0"],
        draft: ["draft", false],
        letter: "%PDF-",
        signed: 64,
        submitted: "in_review",
        rejected: ["fix_requirement", "Not as on the invoice."],
        number: "active",
        event: ["number.activated", phoneNumber, "local"],
      });
    },
    DEADLINE_MS,
  );
});
