import kafkajs from "kafkajs";
import { z } from "zod";

export interface TokenSourceOptions {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string | undefined;
}

const REQUEST_TIMEOUT_MS = 5_000;
const DEFAULT_LIFETIME_S = 300;
/** A token is replaced before it expires, so that no connection begins with one that is about to. */
const USED_OF_LIFETIME = 0.8;

const answer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive().default(DEFAULT_LIFETIME_S),
});

/**
 * Access tokens by the client credentials grant (RFC 6749, 4.4), fetched when first needed and kept until they
 * are nearly expired. A fault is one that kafkajs retries, and never contains the secret or the answer.
 */
export function createTokenSource(
  options: TokenSourceOptions,
  request: typeof fetch = fetch,
): () => Promise<string> {
  let kept: { readonly token: Promise<string>; readonly until: { ms: number } } | null = null;
  return () => {
    if (kept !== null && performance.now() < kept.until.ms) return kept.token;
    const until = { ms: performance.now() + REQUEST_TIMEOUT_MS };
    const token = fetchToken(options, request).then(({ access_token, expires_in }) => {
      until.ms = performance.now() + expires_in * 1_000 * USED_OF_LIFETIME;
      return access_token;
    });
    token.catch(() => {
      until.ms = 0;
    });
    kept = { token, until };
    return token;
  };
}

async function fetchToken(
  { url, clientId, clientSecret, scope }: TokenSourceOptions,
  request: typeof fetch,
) {
  const login = [clientId, clientSecret].map(encodeURIComponent).join(":");
  const body = new URLSearchParams({ grant_type: "client_credentials" });
  if (scope !== undefined) body.set("scope", scope);
  try {
    const response = await request(url, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(login).toString("base64")}` },
      body,
      redirect: "error",
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return answer.parse(await response.json());
  } catch (cause) {
    const why = cause instanceof z.ZodError ? "an answer without a token" : String(cause);
    throw new kafkajs.KafkaJSConnectionError(`No token from KAFKA_SASL_TOKEN_URL: ${why}`, {});
  }
}
