import { describe, expect, it } from "@jest/globals";
import { summary, type Credentials } from "./credentials.ts";

const credentials: Credentials = {
  api_url: "http://127.0.0.1:3000",
  desk_url: "http://127.0.0.1:3001",
  api_urls: ["http://127.0.0.1:3000", "http://127.0.0.1:3010"],
  desk_urls: ["http://127.0.0.1:3001", "http://127.0.0.1:3011"],
  api_key: "nps_live_the-key",
  desk_token: "nps_desk_the-token",
  webhook_signing_secret: "whsec_the-secret",
  kafka_brokers: "127.0.0.1:9092",
  kafka_providers: { sandbox: { mechanism: "SCRAM-SHA-512", username: "u", password: "of-kafka" } },
  schema_registry_url: "http://127.0.0.1:8080/apis/ccompat/v7",
  schema_registry_reader: { username: "reader", password: "of-registry" },
  schema_registry_writer: { username: "writer", password: "of-registry" },
  database_url: "postgresql://postgres:of-postgres@127.0.0.1:5432/porting",
};

const shown = (isFirst: boolean): string =>
  summary(credentials, { dataDir: "/srv/data", tookMs: 1_234, isFirst });

describe("the summary of a start", () => {
  it("shows key and token at the first start, later only where they are kept", () => {
    expect(shown(true)).toContain("nps_live_the-key");
    expect(shown(true)).toContain("nps_desk_the-token");
    const later = shown(false);
    expect(later).not.toMatch(/nps_|whsec_/);
    expect(later).toContain("api_key in /srv/data/credentials.json");
    expect(later).toContain("desk_token in /srv/data/credentials.json");
    expect(later).toContain(`Bearer $(node -p "require('/srv/data/credentials.json').api_key")`);
  });

  it("names the address of each copy of API and desk", () => {
    expect(shown(true)).toContain("http://127.0.0.1:3000, http://127.0.0.1:3010");
    expect(shown(true)).toContain("http://127.0.0.1:3001, http://127.0.0.1:3011");
  });

  it.each([true, false])("shows no password (first start: %s)", (isFirst) => {
    expect(shown(isFirst)).not.toMatch(/of-kafka|of-postgres|of-registry/);
    expect(shown(isFirst)).toContain("127.0.0.1:5432/porting");
  });
});
