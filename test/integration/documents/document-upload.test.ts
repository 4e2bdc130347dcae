/** @tier all */
import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { removeOfDeleted } from "../../../services/api/documents/sweep-documents.ts";
import { createDocumentLinks } from "../../../services/domain/document/rules/document-link.ts";
import { createFileStore, pathOf } from "../../../services/platform/files/file-store.ts";
import {
  openDocumentApi,
  type DocumentApi,
  type Upload,
} from "../../support/documents/document-api.ts";
import { buildJpeg, buildPng, buildTiff } from "../../support/documents/document-factory.ts";
import { testPdf } from "../../support/documents/test-document.ts";
import { eventually } from "../../support/eventually.ts";
import { textOf, type Answer } from "../../support/http/call.ts";
import { createAccount } from "../../support/product/create-account.ts";

const HOUR_MS = 3_600_000;
const MIB = 1024 * 1024;
const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const ABSENT_ID = "01890000-0000-7000-8000-000000000000";

let api: DocumentApi;

beforeAll(async () => {
  api = await openDocumentApi();
});

function faultsOf(answer: Answer): string[] {
  return z
    .array(z.object({ pointer: z.string(), code: z.string() }))
    .parse(answer.body?.["errors"] ?? [])
    .map(({ pointer, code }) => `${pointer} ${code}`);
}

/** Every file of the storage, including temporary uploads, and every row that an upload writes. */
async function everything() {
  const files = readdirSync(api.folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !statSync(join(api.folder, name)).isDirectory())
    .sort();
  const documents = await api.database.query("select * from orders.documents order by id");
  const requirements = await api.database.query(
    "select order_id, slug, document_id, document_date, value from orders.requirements order by order_id, slug",
  );
  return { files, documents: documents.rows, requirements: requirements.rows };
}

describe("an uploaded document", () => {
  it("is the field's value, is checked, and is not lost", async () => {
    const orderId = await api.newOrder();
    const content = testPdf("An invoice");
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const date = `${yesterday}T03:04:05.678+02:00`;
    const answer = await api.upload(orderId, { content, date });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      slug: "invoice",
      status: "requirement-info-pending",
      document_date: `${yesterday}T01:04:05.678Z`,
    });
    const id = textOf(answer, "field_value");
    const { rows } = await api.database.query("select * from orders.documents where id = $1", [id]);
    expect(rows).toMatchObject([
      {
        order_id: orderId,
        slug: "invoice",
        content_type: "application/pdf",
        size_bytes: content.length,
        sha256: createHash("sha256").update(content).digest("hex"),
      },
    ]);
    expect(statSync(pathOf(api.folder, id)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(api.folder, "incoming"))).toContain(`${id}.kept`);
    await eventually(async () => {
      const { body } = await api.call("GET", `/v2/porting_orders/${orderId}/timeline`);
      const entries = z.array(z.looseObject({ kind: z.string() })).parse(body?.["data"]);
      const data = { slug: "invoice", document_id: id, check: "passed" };
      expect(entries.find(({ kind }) => kind === "document")).toMatchObject({ data });
    });
  });

  it("has the type of its content, not of its file name", async () => {
    const orderId = await api.newOrder();
    const cases = [
      [testPdf(), "a.png", "application/pdf", "pdf"],
      [buildPng(), "../../etc/passwd", "image/png", "png"],
      [buildJpeg(), "a.exe", "image/jpeg", "jpg"],
      [buildTiff(), "", "image/tiff", "tif"],
    ] as const;
    for (const [content, name, type, extension] of cases) {
      const id = textOf(await api.upload(orderId, { content, name }), "field_value");
      const response = await api.fetchDocument(`/v2/documents/${id}`, api.product.apiKey);
      expect(response.headers.get("content-type")).toBe(type);
      expect(response.headers.get("content-disposition")).toBe(
        `attachment; filename="invoice-${id}.${extension}"`,
      );
      expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    }
  });

  it("may be 20 MiB large, and is replaced by the next", async () => {
    const orderId = await api.newOrder();
    const content = Buffer.concat([testPdf(), Buffer.alloc(20 * MIB - testPdf().length)]);
    const first = textOf(await api.upload(orderId, { content }), "field_value");
    const second = textOf(await api.upload(orderId), "field_value");
    expect(second).not.toBe(first);
    const kept = await api.fetchDocument(`/v2/documents/${first}`, api.product.apiKey);
    expect((await kept.arrayBuffer()).byteLength).toBe(20 * MIB);
  });

  it("gets its own row when many are uploaded at once, and one of them is the field's", async () => {
    const orderId = await api.newOrder();
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => api.upload(orderId, { content: testPdf(`no. ${n}`) })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const ids = answers.map((answer) => textOf(answer, "field_value"));
    const { rows } = await api.database.query<{ id: string }>(
      "select id from orders.documents where order_id = $1",
      [orderId],
    );
    expect(rows.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect(ids.every((id) => existsSync(pathOf(api.folder, id)))).toBe(true);
  });
});

describe("a bad upload", () => {
  const inOneDay = (minutes: number): string =>
    new Date(Date.now() + 86_400_000 + minutes * 60_000).toISOString();
  const UNSUPPORTED = "#/file unsupported_document_type";
  const INVALID_DATE = "#/document_date invalid_format";

  it.each<[string, Upload, (number | string)[]]>([
    ["an empty file", { content: Buffer.alloc(0) }, [422, "#/file empty_document"]],
    ["HTML", { content: Buffer.from("<html>%PDF-1.7") }, [422, UNSUPPORTED]],
    ["a ZIP", { content: Buffer.from("PK\u0003\u0004zeros"), name: "42.zip" }, [422, UNSUPPORTED]],
    ["an SVG", { content: Buffer.from("<svg/>"), name: "a.pdf" }, [422, UNSUPPORTED]],
    ["20 MiB and a byte", { content: Buffer.alloc(20 * MIB + 1) }, [413]],
    ["no date", { date: null }, [422, "#/document_date required"]],
    ["a day", { date: "2026-01-02" }, [422, INVALID_DATE]],
    ["a nonexistent day", { date: "2026-02-30T00:00:00Z" }, [422, INVALID_DATE]],
    ["no offset", { date: "2026-01-02T00:00:00" }, [422, INVALID_DATE]],
    ["a future date", { date: inOneDay(60) }, [422, "#/document_date date_out_of_range"]],
    ["31 days", { date: inOneDay(-32 * 24 * 60) }, [422, "#/document_date document_too_old"]],
    ["several faults", { content: Buffer.from("x"), date: "?" }, [422, INVALID_DATE, UNSUPPORTED]],
    ["a text field", { slug: "entity_name" }, [415]],
    ["an unknown field", { slug: "no_such_field" }, [404]],
  ])("%s changes nothing and leaves no file", async (_, sent, refusal) => {
    const orderId = await api.newOrder();
    const before = await everything();
    const answer = await api.upload(orderId, sent);
    expect([answer.status, ...faultsOf(answer).sort()]).toEqual(refusal);
    expect(await everything()).toEqual(before);
  });

  it.each([
    ["1955-05-05T00:00:00Z", "1955-05-05T00:00:00.000Z"],
    ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
  ])("is accepted with the date %s where any age will do", async (date, kept) => {
    const orderId = await api.newOrder();
    expect((await api.upload(orderId, { slug: "csr", date })).body?.["document_date"]).toBe(kept);
    const { body } = await api.call("GET", `/v2/porting_orders/${orderId}`);
    expect(body?.["requirements"]).toContainEqual(expect.objectContaining({ document_date: kept }));
  });

  it("is accepted with a date just under a day ahead", async () => {
    expect((await api.upload(await api.newOrder(), { date: inOneDay(-1) })).status).toBe(200);
  });

  it("is refused for another account's order, as JSON, and in a status that accepts none", async () => {
    const orderId = await api.newOrder();
    const { apiKey: key } = await createAccount(api.product, "Another");
    const before = await everything();
    expect((await api.upload(orderId, { key })).status).toBe(404);
    expect((await api.upload(ABSENT_ID)).status).toBe(404);
    const field = `/v2/porting_orders/${orderId}/requirements/invoice`;
    const json = await api.call("PATCH", field, { field_value: ABSENT_ID });
    expect([json.status, json.body?.["code"]]).toEqual([415, "unsupported_media_type"]);
    expect(await everything()).toEqual(before);
    await api.call("POST", `/v2/porting_orders/${orderId}/cancel`, {});
    const late = await api.upload(orderId);
    expect([late.status, late.body?.["code"]]).toEqual([409, "invalid_state"]);
    expect(await everything()).toEqual(before);
  });

  it("leaves nothing when the client disconnects midway", async () => {
    const orderId = await api.newOrder();
    const before = await everything();
    const head = `--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n%PDF-1.7`;
    const request = httpRequest(
      `${api.product.apiUrl}/v2/porting_orders/${orderId}/requirements/invoice`,
      {
        method: "PATCH",
        headers: {
          Authorization: `Bearer ${api.product.apiKey}`,
          "Content-Type": "multipart/form-data; boundary=x",
          "Content-Length": 5 * MIB,
        },
      },
    );
    request.on("error", () => undefined);
    request.write(head + "x".repeat(MIB));
    await eventually(() => {
      const coming = readdirSync(join(api.folder, "incoming")).filter(
        (name) => !name.endsWith(".kept"),
      );
      expect(coming).toHaveLength(1);
    });
    request.destroy();
    await eventually(async () => expect(await everything()).toEqual(before));
  });
});

describe("an upload under an Idempotency-Key", () => {
  it("takes effect once, compares the file, and leaves no second file", async () => {
    const orderId = await api.newOrder();
    const date = new Date().toISOString();
    const headers = { "Idempotency-Key": "upload-1" };
    const first = await api.upload(orderId, { date, headers });
    const before = await everything();
    const again = await api.upload(orderId, { date, headers });
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await api.upload(orderId, { date, headers, content: testPdf("another") });
    expect([other.status, other.body?.["code"]]).toEqual([422, "idempotency_key_reused"]);
    expect(await everything()).toEqual(before);
  });
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

  it("is 404, without a partial answer, when the file is missing", async () => {
    const id = textOf(await api.upload(await api.newOrder()), "field_value");
    rmSync(pathOf(api.folder, id));
    expect((await api.fetchDocument(`/v2/documents/${id}`, api.product.apiKey)).status).toBe(404);
  });
});

describe("the documents of a draft that was deleted", () => {
  it("are removed an hour later, rows and files, also those that were replaced", async () => {
    const [kept, deleted] = [await api.newOrder(), await api.newOrder()];
    const keptId = textOf(await api.upload(kept), "field_value");
    const ids: string[] = [];
    for (const content of [testPdf("one"), Buffer.from("%PDF-1.7 broken")]) {
      ids.push(textOf(await api.upload(deleted, { content }), "field_value"));
    }
    const path = `/v2/porting_orders/${deleted}`;
    expect((await api.call("DELETE", path)).status).toBe(204);
    const removeAt = (ms: number) =>
      removeOfDeleted({
        pool: api.database,
        files: createFileStore(api.folder),
        clock: { now: () => new Date(Date.now() + ms) },
      });
    const found = async () => {
      const { rows } = await api.database.query(
        "select id from orders.documents where id = any ($1) order by id",
        [[keptId, ...ids]],
      );
      const stored = [keptId, ...ids].filter((id) => existsSync(pathOf(api.folder, id)));
      return { rows: rows.map(({ id }: { id: string }) => id), stored };
    };
    await removeAt(0);
    expect(await found()).toEqual({ rows: [keptId, ...ids], stored: [keptId, ...ids] });
    // Those that are still being checked stay until the next time.
    await eventually(async () => {
      await removeAt(2 * HOUR_MS);
      expect(await found()).toEqual({ rows: [keptId], stored: [keptId] });
    });
  });
});

/** Uploads a document, changes its last stored byte, and downloads it. */
async function downloadAltered(content: Buffer): Promise<Response> {
  const id = textOf(await api.upload(await api.newOrder(), { content }), "field_value");
  const damaged = Buffer.from(content);
  damaged.writeUInt8(0x21, damaged.length - 1);
  writeFileSync(pathOf(api.folder, id), damaged);
  return api.fetchDocument(`/v2/documents/${id}`, api.product.apiKey);
}

describe("a stored document that was altered", () => {
  it("is refused when it is small", async () => {
    expect((await downloadAltered(testPdf())).status).toBe(500);
  });

  it("is aborted before its end when it is large, with an error in the log", async () => {
    const large = Buffer.concat([testPdf(), Buffer.alloc(3_000_000)]);
    const response = await downloadAltered(large);
    expect(response.headers.get("content-length")).toBe(String(large.length));
    await expect(response.arrayBuffer()).rejects.toThrow();
    await eventually(() => {
      const log = readFileSync(join(api.product.logFolder, "api.log"), "utf8");
      expect(log).toMatch(/"level":50.*a response was aborted/);
    });
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
