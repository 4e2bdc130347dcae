import { join } from "node:path";
import type { Credentials } from "./credentials.ts";

/** A geographic New York number, valid in the numbering plan. */
const EXAMPLE_NUMBER = "+12125550123";

export interface SummaryPlace {
  readonly dataDir: string;
  readonly tookMs: number;
  /** Key and token were made at this start: they are shown now, and later only kept. */
  readonly isFirst: boolean;
}

/** The passwords stay in the file. */
function kafkaOf({ kafka_brokers, kafka_providers }: Credentials): string {
  if (kafka_providers === undefined) return kafka_brokers;
  return `${kafka_brokers} (users and passwords of carriers: kafka_providers in credentials.json)`;
}

function registryOf({ schema_registry_url: url, schema_registry_reader }: Credentials): string {
  if (schema_registry_reader === undefined) return url;
  return `${url} (login of carriers: schema_registry_reader in credentials.json)`;
}

function postgresOf({ database_url }: Credentials): string {
  const { host, pathname } = new URL(database_url);
  return `${host}${pathname} (login: database_url in credentials.json)`;
}

/** The text for the terminal once everything runs. */
export function summary(credentials: Credentials, place: SummaryPlace): string {
  const { dataDir, tookMs, isFirst } = place;
  const kept = join(dataDir, "credentials.json");
  const { api_key: key, desk_token: token } = credentials;
  const rows = {
    API: credentials.api_urls.join(", "),
    Desk: credentials.desk_urls.join(", "),
    "API key": isFirst ? key : `api_key in ${kept}`,
    "Desk token": isFirst ? token : `desk_token in ${kept}`,
    Kafka: kafkaOf(credentials),
    Registry: registryOf(credentials),
    Postgres: postgresOf(credentials),
    Files: `${dataDir} (credentials.json, logs/)`,
  };
  const table = Object.entries(rows).map(([name, value]) => `  ${name.padEnd(11)}${value}`);
  const order = JSON.stringify({ phone_numbers: [EXAMPLE_NUMBER] });
  const bearer = isFirst ? key : `$(node -p "require('${kept}').api_key")`;
  return [
    "",
    `Everything is running after ${(tookMs / 1000).toFixed(1)} s.`,
    "",
    ...table,
    "",
    "Port a number:",
    "",
    `  curl -s ${credentials.api_url}/v2/porting_orders \\`,
    `    -H "Authorization: Bearer ${bearer}" \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '${order}'`,
    "",
    "Ctrl-C stops everything.",
    "",
  ].join("\n");
}
