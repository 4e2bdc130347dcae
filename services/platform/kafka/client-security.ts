import { readFileSync } from "node:fs";
import kafkajs, { type KafkaConfig, type SASLOptions } from "kafkajs";
import { z } from "zod";
import { flag, readEnv, url } from "../config.ts";
import { AppError } from "../errors.ts";

export const SASL_MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"] as const;

/** How a client encrypts its connections to Kafka and proves who it is; files are PEM. */
export const kafkaSecurityShape = {
  KAFKA_SSL: flag(),
  /** The certificate authority of the brokers; the public ones unless given. */
  KAFKA_SSL_CA_FILE: z.string().optional(),
  KAFKA_SSL_CERT_FILE: z.string().optional(),
  KAFKA_SSL_KEY_FILE: z.string().optional(),
  KAFKA_SASL_MECHANISM: z
    .enum(SASL_MECHANISMS, `expected ${SASL_MECHANISMS.join(", ")}`)
    .optional(),
  /** The principal; the client id for OAUTHBEARER. */
  KAFKA_SASL_USERNAME: z.string().optional(),
  /** Its password; the client secret for OAUTHBEARER. */
  KAFKA_SASL_PASSWORD: z.string().optional(),
  /** Where OAUTHBEARER fetches its tokens, by the client credentials grant. */
  KAFKA_SASL_TOKEN_URL: url().optional(),
  KAFKA_SASL_SCOPE: z.string().optional(),
};

const schema = z.object(kafkaSecurityShape);

export type KafkaSecurity = Readonly<z.output<typeof schema>>;

/** The settings of an environment, for programs without a config of their own. @throws `invalid_config` */
export function readKafkaSecurity(env: NodeJS.ProcessEnv): KafkaSecurity {
  return readEnv(schema, env);
}

interface TokenSourceOptions {
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

type Name = keyof KafkaSecurity;

/**
 * The client's TLS and SASL options.
 * @throws `invalid_config` naming every setting that is missing, contradicts another or names no readable file
 */
export function clientSecurity(security: KafkaSecurity): Pick<KafkaConfig, "ssl" | "sasl"> {
  const faults = [...tlsFaults(security), ...saslFaults(security)];
  if (faults.length > 0) throw invalid(faults);
  const sasl = saslOptions(security);
  return { ssl: tlsOptions(security), ...(sasl === null ? {} : { sasl }) };
}

function invalid(faults: readonly string[]): AppError {
  return new AppError("invalid_config", `The configuration is not valid. ${faults.join("; ")}.`);
}

function tlsFaults(security: KafkaSecurity): string[] {
  const files: Name[] = ["KAFKA_SSL_CA_FILE", "KAFKA_SSL_CERT_FILE", "KAFKA_SSL_KEY_FILE"];
  const given = files.filter((name) => security[name] !== undefined);
  if (!security.KAFKA_SSL) return given.map((name) => `${name} needs KAFKA_SSL=true`);
  const { KAFKA_SSL_CERT_FILE: cert, KAFKA_SSL_KEY_FILE: key } = security;
  if ((cert === undefined) === (key === undefined)) return [];
  return ["KAFKA_SSL_CERT_FILE and KAFKA_SSL_KEY_FILE are given together or not at all"];
}

function saslFaults(security: KafkaSecurity): string[] {
  const { KAFKA_SASL_MECHANISM: mechanism } = security;
  const login: Name[] = ["KAFKA_SASL_USERNAME", "KAFKA_SASL_PASSWORD"];
  const token: Name[] = ["KAFKA_SASL_TOKEN_URL"];
  if (mechanism === undefined) {
    const given = [...login, ...token].filter((name) => security[name] !== undefined);
    return given.map((name) => `${name} needs KAFKA_SASL_MECHANISM`);
  }
  const needed = mechanism === "OAUTHBEARER" ? [...login, ...token] : login;
  const missing = needed.filter((name) => security[name] === undefined);
  return missing.map((name) => `${name} is required with KAFKA_SASL_MECHANISM=${mechanism}`);
}

function tlsOptions(security: KafkaSecurity): NonNullable<KafkaConfig["ssl"]> {
  if (!security.KAFKA_SSL) return false;
  const ca = readPem(security, "KAFKA_SSL_CA_FILE");
  const cert = readPem(security, "KAFKA_SSL_CERT_FILE");
  const key = readPem(security, "KAFKA_SSL_KEY_FILE");
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

function readPem(security: KafkaSecurity, name: Name): string | undefined {
  const path = security[name];
  if (typeof path !== "string") return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const detail = `The configuration is not valid. ${name}: the file cannot be read.`;
    throw new AppError("invalid_config", detail, { cause });
  }
}

function saslOptions(security: KafkaSecurity): SASLOptions | null {
  const { KAFKA_SASL_USERNAME: username = "", KAFKA_SASL_PASSWORD: password = "" } = security;
  switch (security.KAFKA_SASL_MECHANISM) {
    case undefined:
      return null;
    case "PLAIN":
      return { mechanism: "plain", username, password };
    case "SCRAM-SHA-256":
      return { mechanism: "scram-sha-256", username, password };
    case "SCRAM-SHA-512":
      return { mechanism: "scram-sha-512", username, password };
    case "OAUTHBEARER": {
      const source = createTokenSource({
        url: security.KAFKA_SASL_TOKEN_URL ?? "",
        clientId: username,
        clientSecret: password,
        scope: security.KAFKA_SASL_SCOPE,
      });
      const oauthBearerProvider = async () => ({ value: await source() });
      return { mechanism: "oauthbearer", oauthBearerProvider };
    }
  }
}
