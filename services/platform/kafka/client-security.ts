import { readFileSync } from "node:fs";
import type { KafkaConfig, SASLOptions } from "kafkajs";
import { AppError } from "../errors.ts";
import { createTokenSource } from "./oauth-token.ts";
import type { KafkaSecurity } from "./security-config.ts";

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
