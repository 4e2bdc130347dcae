import type { RegistryConnection } from "./registry-connection.ts";
import { unavailable } from "./registry-errors.ts";

const REQUEST_TIMEOUT_MS = 5_000;

export interface RegistryAnswer {
  readonly status: number;
  /** Null where it is longer than the limit. */
  readonly text: string | null;
}

/** An answer of the registry, of which no more than the limit is read. @throws a retryable `registry_unavailable` */
export async function registryGet(
  { url, headers, ca }: RegistryConnection,
  path: string,
  mostBytes: number,
): Promise<RegistryAnswer> {
  // Loaded here, because this is rare and the package is large.
  const { Agent, request } = await import("undici");
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]);
  const dispatcher = ca === null ? {} : { dispatcher: new Agent({ connect: { ca } }) };
  try {
    const { statusCode: status, body } = await request(url + path, {
      headers: { ...headers, accept: "application/vnd.schemaregistry.v1+json" },
      signal,
      ...dispatcher,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) return { status, text: null };
      chunks.push(chunk);
    }
    return { status, text: Buffer.concat(chunks).toString("utf8") };
  } catch (error) {
    throw unavailable(error);
  } finally {
    stopping.abort();
  }
}
