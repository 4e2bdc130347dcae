import type { Credentials } from "./credentials.ts";

/** A geographic New York number, valid in the numbering plan. */
const EXAMPLE_NUMBER = "+12125550123";

/** The passwords stay in the file. */
function kafkaOf({ kafka_brokers, kafka_providers }: Credentials): string {
  if (kafka_providers === undefined) return kafka_brokers;
  return `${kafka_brokers} (users and passwords of carriers: kafka_providers in credentials.json)`;
}

/** The text for the terminal once everything runs. */
export function summary(
  credentials: Credentials,
  place: { dataDir: string; tookMs: number },
): string {
  const rows = {
    API: credentials.api_url,
    Desk: credentials.desk_url,
    "API key": credentials.api_key,
    "Desk token": credentials.desk_token,
    Kafka: kafkaOf(credentials),
    Registry: credentials.schema_registry_url,
    Postgres: credentials.database_url,
    Files: `${place.dataDir} (credentials.json, logs/)`,
  };
  const table = Object.entries(rows).map(([name, value]) => `  ${name.padEnd(11)}${value}`);
  const order = JSON.stringify({ phone_numbers: [EXAMPLE_NUMBER] });
  return [
    "",
    `Everything is running after ${(place.tookMs / 1000).toFixed(1)} s.`,
    "",
    ...table,
    "",
    "Port a number:",
    "",
    `  curl -s ${credentials.api_url}/v2/porting_orders \\`,
    `    -H 'Authorization: Bearer ${credentials.api_key}' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '${order}'`,
    "",
    "Ctrl-C stops everything.",
    "",
  ].join("\n");
}
