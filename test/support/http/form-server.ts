import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect } from "@jest/globals";
import { z } from "zod";
import { AppError } from "../../../services/platform/errors.ts";
import { createFileStore } from "../../../services/platform/files/file-store.ts";
import { formFile } from "../../../services/platform/http/body/fields.ts";
import { createHttpApp } from "../../../services/platform/http/routing/http-app.ts";
import { startHttpServer } from "../../../services/platform/http/routing/http-server.ts";
import { ok } from "../../../services/platform/http/routing/reply.ts";
import { routesFor } from "../../../services/platform/http/routing/route.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { noDatabase } from "./no-database.ts";

/** The longest file. */
export const MAX = 100_000;
export const BOUNDARY = "----a(boundary)'+_,-./:=?";
export const FORM_TYPE = `multipart/form-data; boundary="${BOUNDARY}"`;
const { PATCH } = routesFor<string, "public">("public");
const log = createLogger("test", "silent");

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

export interface Sent {
  readonly kind?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly chunked?: boolean;
}

export interface SentForm {
  readonly status: number;
  readonly code: unknown;
  /** Each fault's place and code. */
  readonly faults: readonly string[];
  readonly answer: Readonly<Record<string, unknown>>;
}

export interface FormServer {
  readonly port: number;
  send(body: string | Buffer, sent?: Sent): Promise<SentForm>;
  /** The temporary uploads. */
  incoming(): string[];
  /** No temporary upload is left, whatever happened. */
  expectNothingLeft(): Promise<void>;
  stop(): Promise<void>;
}

/** An app that takes a form with a file and a date, and keeps uploads in a temporary folder. */
export async function startFormServer(): Promise<FormServer> {
  const folder = mkdtempSync(join(tmpdir(), "read-form-"));
  const app = createHttpApp<string>({
    routes: [things],
    protectedPrefix: "/v2",
    pool: noDatabase,
    log,
    metrics: createMetrics("test"),
    readiness: () => Promise.resolve([]),
    authenticate: () => Promise.resolve(null),
    uploads: createFileStore(folder),
  });
  const server = await startHttpServer(app, {
    host: "127.0.0.1",
    port: 0,
    log,
    headersTimeoutMs: 700,
    requestTimeoutMs: 700,
  });
  const { port } = server;
  const incoming = (): string[] => readdirSync(join(folder, "incoming"));
  return {
    port,
    send: (body, sent = {}) => send(port, body, sent),
    incoming,
    expectNothingLeft: async () => {
      const until = Date.now() + 3_000;
      while (incoming().length > 0 && Date.now() < until) await new Promise(setImmediate);
      expect(incoming()).toEqual([]);
    },
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function send(port: number, body: string | Buffer, sent: Sent): Promise<SentForm> {
  const { kind = "file", headers, chunked = false } = sent;
  const bytes = Buffer.from(body);
  const response = await fetch(`http://127.0.0.1:${port}/v2/things/${kind}`, {
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
export const part = (disposition: string, content: string, more = ""): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${content}\r\n`;
export const text = (name: string, content: string): string => part(`name="${name}"`, content);
export const file = (content = "%PDF-1.7", name = "a.pdf"): string =>
  part(`name="file"; filename="${name}"`, content, "Content-Type: application/pdf\r\n");
export const end = `--${BOUNDARY}--\r\n`;
export const date = text("date", "2026-03-01");
