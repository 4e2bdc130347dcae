import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { z } from "zod";

import { AppError } from "../../errors.ts";
import { createFileStore } from "../../files/file-store.ts";
import { createReadiness } from "../../health.ts";
import { createLogger } from "../../logger.ts";
import { createMetrics } from "../../metrics.ts";
import { formFile } from "./fields.ts";
import { createHttpApp } from "../routing/http-app.ts";
import { startHttpServer, type HttpServer } from "../routing/http-server.ts";
import { ok } from "../routing/reply.ts";
import { routesFor } from "../routing/route.ts";

const MAX = 100_000;
const BOUNDARY = "----a(boundary)'+_,-./:=?";
const FORM_TYPE = `multipart/form-data; boundary="${BOUNDARY}"`;
const { PATCH } = routesFor<string, "public">("public");
const log = createLogger("test", "silent");

const folder = mkdtempSync(join(tmpdir(), "read-form-"));
let server: HttpServer;

const things = PATCH("/v2/things/:kind", "A test", {
  answers: {},
  params: { kind: z.string() },
  body: z.strictObject({ value: z.string() }),
  form: {
    fields: z.strictObject({ file: formFile(), date: z.iso.date() }),
    maxFileBytes: MAX,
  },
  resolve: ({ params: { kind } }) => {
    if (kind === "missing") return Promise.reject(new AppError("not_found", "There is none."));
    return Promise.resolve({ takes: kind === "text" ? "json" : "form", found: kind } as const);
  },
  handle: ({ body, found }) => {
    if (found === "refused") throw new AppError("invalid_state", "Not now.");
    if (!("file" in body)) return ok({ found, ...body });
    const { size, sha256, path } = body.file;
    return ok({ found, size, sha256, date: body.date, kept: readFileSync(path).length });
  },
});

beforeAll(async () => {
  const app = createHttpApp<string>({
    routes: [things],
    protectedPrefix: "/v2",
    log,
    metrics: createMetrics("test"),
    readiness: createReadiness({}, log),
    authenticate: () => Promise.resolve(null),
    uploads: createFileStore(folder),
  });
  server = await startHttpServer(app, {
    host: "127.0.0.1",
    port: 0,
    log,
    headersTimeoutMs: 700,
    requestTimeoutMs: 700,
  });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const incoming = (): string[] => readdirSync(join(folder, "incoming"));

/** No temporary upload is left, whatever happened. */
async function expectNothingLeft(): Promise<void> {
  const until = Date.now() + 3_000;
  while (incoming().length > 0 && Date.now() < until) await new Promise(setImmediate);
  expect(incoming()).toEqual([]);
}

afterEach(expectNothingLeft);

interface Sent {
  readonly kind?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunked?: boolean;
}

async function send(body: string | Buffer, { kind = "file", headers, chunked = false }: Sent = {}) {
  const bytes = Buffer.from(body);
  const response = await fetch(`http://127.0.0.1:${server.port}/v2/things/${kind}`, {
    method: "PATCH",
    headers: { "Content-Type": FORM_TYPE, ...headers },
    ...(chunked
      ? { body: Readable.toWeb(Readable.from([bytes])) as ReadableStream, duplex: "half" }
      : { body: new Uint8Array(bytes) }),
  });
  const answer = JSON.parse(await response.text()) as Record<string, unknown>;
  const faults = z
    .array(z.looseObject({ code: z.string() }))
    .parse(answer["errors"] ?? [])
    .map((fault) => `${String(fault["pointer"] ?? fault["header"])} ${fault.code}`);
  return { status: response.status, code: answer["code"], faults, answer };
}

/** A part with these lines of headers. */
const part = (disposition: string, content: string, more = ""): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
const text = (name: string, content: string): string => part(`name="${name}"`, content);
const file = (content = "%PDF-1.7", name = "a.pdf"): string =>
  part(`name="file"; filename="${name}"`, content, "Content-Type: application/pdf\r\n");
const end = `--${BOUNDARY}--\r\n`;
const date = text("date", "2026-03-01");

describe("a form with a file", () => {
  it("is accepted in any order of its parts, whatever the file is called", async () => {
    for (const body of [file() + date + end, date + file() + end]) {
      const { status, answer } = await send(body);
      expect(status).toBe(200);
      expect(answer).toMatchObject({ found: "file", size: 8, kept: 8, date: "2026-03-01" });
    }
    for (const name of ["../../etc/passwd", "a\u0000b", "\u202Efdp.exe", "x".repeat(90_000), ""]) {
      expect((await send(file("%PDF-1.7", name) + date + end)).status).toBe(200);
    }
    const bare = part(`name=file`, "%PDF-1.7") + date + end;
    expect((await send(bare, { chunked: true })).status).toBe(200);
  });

  it("may be as large as the limit, and not a byte more", async () => {
    expect((await send(file("x".repeat(MAX)) + date + end)).answer).toMatchObject({ kept: MAX });
    for (const chunked of [false, true]) {
      const larger = await send(file("x".repeat(MAX + 1)) + date + end, { chunked });
      expect([larger.status, larger.code]).toEqual([413, "payload_too_large"]);
      const huge = await send(file("x".repeat(MAX * 20)) + date + end, { chunked });
      expect([huge.status, huge.code]).toEqual([413, "payload_too_large"]);
    }
  });

  it.each([
    ["nothing", "", ["#/file required", "#/date required"]],
    ["no parts", end, ["#/file required", "#/date required"]],
    ["no file", date + end, ["#/file required"]],
    ["no date", file() + end, ["#/date required"]],
    ["a bad date", file() + text("date", "tomorrow") + end, ["#/date invalid_format"]],
    ["two files", file() + date + file() + end, ["#/file repeated"]],
    ["two dates", file() + date + date + end, ["#/date repeated"]],
    [
      "a long text",
      file() + date + text("note", "x".repeat(5_000)) + end,
      ["#/note too_long", "#/note unknown_property"],
    ],
    [
      "another field",
      file() + date + text("status", "approved") + end,
      ["#/status unknown_property"],
    ],
    [
      "another file",
      file() + date + part('name="b"; filename="b"', "b") + end,
      ["#/b unknown_property"],
    ],
    ["__proto__", file() + date + text("__proto__", "1") + end, ["#/__proto__ unknown_property"]],
    ["no name", file() + date + part("filename=x", "1") + end, ["#/ unknown_property"]],
    [
      "half a character as a name",
      file() + date + part("name*=utf-16le''%00%D8", "1") + end,
      ["#/%EF%BF%BD unknown_property"],
    ],
    [
      "an unknown charset",
      file() +
        part('name="date"', "2026-03-01", "Content-Type: text/plain; charset=bogus\r\n") +
        text("x", "") +
        end,
      ["#/x unknown_property"],
    ],
    ["a line feed in a name", part('name="fi\nle"', "x") + date + end, ["#/file required"]],
  ])("with %s is 422", async (_, body, faults) => {
    const sent = await send(body);
    expect([sent.status, sent.faults]).toEqual([422, faults]);
  });

  it.each([
    ["no last boundary", file() + date],
    ["an end inside the file", file().slice(0, -12)],
    ["an end inside a header", `${date}--${BOUNDARY}\r\nContent-Disp`],
    ["another boundary", (file() + date + end).replaceAll(BOUNDARY, "other")],
    ["a body that is not a form", '{"value":"x"}'],
  ])("with %s is 400", async (_, body) => {
    for (const chunked of [false, true]) {
      const sent = await send(body, { chunked });
      expect([sent.status, sent.code]).toEqual([400, "malformed_json"]);
    }
  });

  it("with too many parts is 413", async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => text(`f${n}`, "")).join("");
    expect((await send(many + end)).code).toBe("payload_too_large");
    const nameless = `--${BOUNDARY}\r\n\r\n\r\n`.repeat(1_000);
    expect((await send(nameless + end)).code).toBe("payload_too_large");
  });

  it.each([
    ["multipart/form-data", 400, "invalid_header"],
    ["multipart/form-data; boundary=", 400, "invalid_header"],
    [`multipart/form-data; boundary=${"x".repeat(71)}`, 400, "invalid_header"],
    ['multipart/form-data; boundary="a\\"b"', 400, "invalid_header"],
    ["multipart/mixed; boundary=x", 415, "unsupported_media_type"],
    ["application/json", 415, "unsupported_media_type"],
    ["application/pdf", 415, "unsupported_media_type"],
    ["application/x-www-form-urlencoded", 415, "unsupported_media_type"],
  ])("as %s is %d", async (type, status, code) => {
    for (const chunked of [false, true]) {
      const sent = await send(file() + end, { chunked, headers: { "Content-Type": type } });
      expect([sent.status, sent.code]).toEqual([status, code]);
      const empty = await send("", { chunked, headers: { "Content-Type": type } });
      expect(empty.code).toBe("validation_failed");
    }
  });

  it("is refused if the path takes JSON, or if compressed", async () => {
    expect((await send(file() + date + end, { kind: "text" })).status).toBe(415);
    const encoded = { headers: { "Content-Encoding": "gzip" } };
    expect((await send(file() + date + end, encoded)).status).toBe(415);
    const json = { kind: "text", headers: { "Content-Type": "application/json" } };
    expect((await send('{"value":"x"}', json)).answer).toEqual({ found: "text", value: "x" });
  });

  it("leaves nothing if it is refused in the end", async () => {
    expect((await send(file() + date + end, { kind: "refused" })).code).toBe("invalid_state");
    const query = await fetch(`http://127.0.0.1:${server.port}/v2/things/file?no=1`, {
      method: "PATCH",
      headers: { "Content-Type": FORM_TYPE },
      body: file() + end,
    });
    expect(query.status).toBe(400);
  });

  it("gets no 100 Continue if the path identifies nothing", async () => {
    const answered = new Promise<number>((resolve, reject) => {
      const headers = {
        "Content-Type": FORM_TYPE,
        "Content-Length": 90_000,
        Expect: "100-continue",
      };
      const { port } = server;
      const options = { port, path: "/v2/things/missing", method: "PATCH", headers };
      const request = httpRequest(options, (response) => {
        resolve(response.statusCode ?? 0);
        request.destroy();
      });
      request.on("continue", () => reject(new Error("got 100 Continue")));
      request.on("error", () => undefined);
      request.flushHeaders();
    });
    expect(await answered).toBe(404);
  });

  it("leaves nothing if the client hangs up or stops sending", async () => {
    const headers = { "Content-Type": FORM_TYPE, "Content-Length": 90_000 };
    const options = { port: server.port, path: "/v2/things/file", method: "PATCH", headers };
    for (const end of ["hang up", "fall silent"]) {
      const status = await new Promise<number>((resolve) => {
        const request = httpRequest(options, (response) => resolve(response.statusCode ?? 0));
        request.on("error", () => resolve(0));
        request.write(file("x".repeat(40_000)).slice(0, -2));
        const came = setInterval(() => {
          if (incoming().length === 0) return;
          clearInterval(came);
          if (end === "hang up") request.destroy();
        }, 5);
      });
      expect(status).toBe(end === "hang up" ? 0 : 408);
      await expectNothingLeft();
    }
  });

  it.each([
    ["a second file", file("y".repeat(40_000)), [422, ["#/file repeated"]]],
    ["a nameless part", `--${BOUNDARY}\r\nX: y\r\n\r\n${"z".repeat(40_000)}\r\n`, [200, []]],
  ])("with %s, longer than a buffer, is answered wherever it is", async (_, odd, answer) => {
    for (const body of [file() + date + odd + end, file() + odd + date + end]) {
      const sent = await send(body);
      expect([sent.status, sent.faults]).toEqual(answer);
    }
  });

  it("never causes a 500, however broken it is", async () => {
    const good = Buffer.from(date + file("x".repeat(300)) + text("more", "y") + end);
    const broken = fc.tuple(fc.nat(good.length), fc.nat(80), fc.uint8Array({ maxLength: 20 }));
    await fc.assert(
      fc.asyncProperty(broken, async ([at, cut, put]) => {
        const body = Buffer.concat([good.subarray(0, at), put, good.subarray(at + cut)]);
        const { status } = await send(body);
        expect([200, 400, 413, 422]).toContain(status);
      }),
      { numRuns: 300 },
    );
  });
});
