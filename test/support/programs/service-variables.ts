import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { projectRoot } from "../../../infra/project-root.ts";

/** Values for variables that .env.example leaves empty. */
const SAMPLES: Readonly<Record<string, string>> = {
  CLAMD_URL: "tcp://clamd:3310",
  CORS_ORIGINS: "https://app.example.com",
  DESK_COUNTRY: "US",
  DATABASE_READ_URL: "postgresql://replica/porting",
  DATABASE_REPLICATION_URL: "postgresql://primary/porting",
  DATABASE_URL: "postgresql://localhost/porting",
  DOCUMENTS_DIR: "/documents",
  DOCUMENTS_BUCKET: "porting-documents",
  DOCUMENTS_BUCKET_ENDPOINT: "http://localhost:9000",
  DOCUMENTS_BUCKET_KEY_ID: "an-id",
  DOCUMENTS_BUCKET_SECRET_KEY: "a-key",
  EVENTS_RETENTION: "90d",
  KAFKA_BROKERS: "kafka:9092",
  KAFKA_SASL_MECHANISM: "SCRAM-SHA-512",
  KAFKA_SASL_TOKEN_URL: "https://identity.example.com/token",
  LOA_RESPORG_ID: "ABC12",
  PUBLIC_API_URL: "http://localhost:3000",
  PUBLIC_DESK_URL: "http://localhost:3001",
  DESK_NOTICE_EMAILS: "desk@example.com",
  SMTP_FROM: "notices@example.com",
  SMTP_URL: "smtp://mail.example.com",
  SCHEMA_REGISTRY_URL: "http://localhost:8080",
  WEBHOOK_NAME_SERVERS: "10.0.0.2",
  WEBHOOK_PROXY_URL: "http://proxy:3128",
};

/** The variables of .env.example with their values. */
export const example = Object.fromEntries(
  readFileSync(join(projectRoot, ".env.example"), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
) as Readonly<Record<string, string>>;

const configModule = z.object({
  readConfig: z.custom<(env: NodeJS.ProcessEnv) => object>((value) => typeof value === "function"),
});

/** The variables that a service reads from an environment in which every variable is set. */
export async function namesRead(service: string): Promise<string[]> {
  const path = join(projectRoot, "services", service, "config.ts");
  const { readConfig } = configModule.parse(await import(path));
  const full = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, value || (SAMPLES[name] ?? "any")]),
  );
  return Object.keys(readConfig(full)).filter((name) => name in example);
}
