import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

const value = z.union([
  z.object({ stringValue: z.string() }).transform((one) => one.stringValue),
  z
    .object({ intValue: z.union([z.string(), z.number()]) })
    .transform((one) => Number(one.intValue)),
]);
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((list) => Object.fromEntries(list.map((one) => [one.key, one.value])));
const reference = z.object({ traceId: z.string(), spanId: z.string() });
const span = reference.extend({
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes,
  links: z.array(reference),
});
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

const KINDS = ["unspecified", "internal", "server", "client", "producer", "consumer"];

/** A span as a collector gets it. */
export interface CollectedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined for the first of a trace. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Ids of the spans that it links to. */
  readonly links: readonly string[];
}

export interface OtlpReceiver {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`, with the protocol `http/json`. */
  readonly url: string;
  /** All spans so far, in order of arrival. */
  readonly spans: readonly CollectedSpan[];
  /** Everything that was sent, as text. */
  readonly text: () => string;
}

/** A collector on a free port that keeps the spans it gets as OTLP JSON. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((sent, response) => {
    const chunks: Buffer[] = [];
    sent.on("data", (chunk: Buffer) => chunks.push(chunk));
    sent.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      bodies.push(body);
      const isTraces = sent.method === "POST" && sent.url === "/v1/traces";
      if (isTraces) spans.push(...collectedSpans(body));
      response.writeHead(isTraces ? 200 : 404, { "Content-Type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endAfterTests(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, spans, text: () => bodies.join("\n") };
}

function collectedSpans(body: string): CollectedSpan[] {
  return request.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((one) => ({
        service: String(resource.attributes["service.name"]),
        traceId: one.traceId,
        spanId: one.spanId,
        parentSpanId: one.parentSpanId === "" ? undefined : one.parentSpanId,
        name: one.name,
        kind: KINDS[one.kind] ?? "unspecified",
        attributes: one.attributes,
        links: one.links.map(({ spanId }) => spanId),
      })),
    ),
  );
}
