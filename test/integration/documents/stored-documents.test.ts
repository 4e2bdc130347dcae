import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { createDocumentLinks } from "../../../services/domain/document/rules/document-link.ts";
import { createFileStore } from "../../../services/platform/files/file-store.ts";
import { pathOf } from "../../../services/platform/files/folder-storage.ts";
import { openDocumentApi, type DocumentApi } from "../../support/documents/document-api.ts";
import { buildPng } from "../../support/documents/document-factory.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { eventually } from "../../support/eventually.ts";
import { textOf } from "../../support/http/call.ts";
import { createAccount } from "../../support/product/create-account.ts";

const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const ABSENT_ID = "01890000-0000-7000-8000-000000000000";

let api: DocumentApi;

beforeAll(async () => {
  api = await openDocumentApi({ services: ["api", "requirement-review"] });
});

describe("a document's download", () => {
  const urlOf = (id: string, until: Date, key = api.secretKey): string =>
    createDocumentLinks([key]).urlOf("", id, until);

  it("is unchanged, private to the account, and must not be cached", async () => {
    const content = testPdf("Private");
    const id = textOf(await api.upload(await api.newOrder(), { content }), "field_value");
    const path = `/v2/documents/${id}`;
    const response = await api.fetchDocument(path, api.product.apiKey);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    const sha256 = createHash("sha256").update(content).digest("hex");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-length": String(content.length),
      "content-type": "application/pdf",
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
      etag: `"${sha256}"`,
    });
    const head = await api.fetchDocument(path, api.product.apiKey, "HEAD");
    expect(head.headers.get("content-length")).toBe(String(content.length));
    const another = await createAccount(api.product, "Another");
    expect((await api.fetchDocument(path, another.apiKey)).status).toBe(404);
    expect((await api.fetchDocument(path)).status).toBe(401);
    expect((await api.fetchDocument(path, api.product.deskToken)).status).toBe(401);
    expect((await api.fetchDocument("/v2/documents/x", api.product.apiKey)).status).toBe(404);
    expect((await api.fetchDocument(`/v2/documents/${ABSENT_ID}`, api.product.apiKey)).status).toBe(
      404,
    );
  });

  it("needs no key with a signed link, until it expires", async () => {
    const content = testPdf("For the carrier");
    const id = textOf(await api.upload(await api.newOrder(), { content }), "field_value");
    const other = textOf(await api.upload(await api.newOrder()), "field_value");
    const until = new Date(Date.now() + 60_000);
    const good = await api.fetchDocument(urlOf(id, until));
    expect(good.status).toBe(200);
    expect(Buffer.from(await good.arrayBuffer()).equals(content)).toBe(true);
    for (const bad of [
      urlOf(id, new Date(Date.now() - 1_000)),
      urlOf(id, until, randomBytes(32)),
      urlOf(id, until).replace(id, other),
      `${urlOf(id, until)}&more=1`,
      `${urlOf(id, until)}&expires=9999999999`,
    ]) {
      const refused = await api.fetchDocument(bad);
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    }
    expect((await api.fetchDocument(urlOf(ABSENT_ID, until))).status).toBe(404);
    const path = urlOf(id, until, randomBytes(32));
    expect((await api.fetchDocument(path, api.product.apiKey)).status).toBe(200);
  });

  it("is shown inline in a sandbox at the desk, for any account", async () => {
    const content = buildPng();
    const id = textOf(await api.upload(await api.newOrder(), { content }), "field_value");
    const url = `${api.product.deskUrl}/desk/v1/documents/${id}`;
    const headers = { Authorization: `Bearer ${api.product.deskToken}` };
    const response = await fetch(url, { headers });
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    expect(response.headers.get("content-disposition")).toMatch(/^inline; filename="invoice-/);
    expect(response.headers.get("content-security-policy")).toMatch(/^sandbox; default-src 'none'/);
    expect(response.headers.get("cache-control")).toBe("private, no-store");
    expect((await fetch(url)).status).toBe(401);
  });

  it("fails without a partial answer when the file is missing", async () => {
    const id = textOf(await api.upload(await api.newOrder()), "field_value");
    rmSync(pathOf(api.folder, id));
    expect((await api.fetchDocument(`/v2/documents/${id}`, api.product.apiKey)).status).toBe(500);
  });
});

describe("an API that was killed", () => {
  it("keeps acknowledged files, and removes the others a day later", async () => {
    const files = createFileStore(api.folder);
    const known = textOf(await api.upload(await api.newOrder()), "field_value");
    await files.write(ABSENT_ID, testPdf("killed before the commit"));
    const incoming = join(api.folder, "incoming");
    expect(readdirSync(incoming)).toEqual(
      expect.arrayContaining([`${known}.kept`, `${ABSENT_ID}.kept`]),
    );
    for (const name of readdirSync(incoming)) utimesSync(join(incoming, name), LONG_AGO, LONG_AGO);
    api.product.supervisor.service("api").program.kill("SIGKILL");
    await eventually(() => expect(readdirSync(incoming)).toEqual([]));
    expect(existsSync(pathOf(api.folder, ABSENT_ID))).toBe(false);
    expect(existsSync(pathOf(api.folder, known))).toBe(true);
    await api.product.supervisor.whenReady();
  });
});
