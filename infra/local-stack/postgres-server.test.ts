import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../project-root.ts";
import { copiesForSuperuserAlone, serverSettings } from "./postgres-server.ts";

const OPTIONS = { durable: true, walArchive: null, maxConnections: 200 };

describe("the settings of Postgres", () => {
  it("end a connection that does not log in within 5 s, so that few of them lock nobody out", () => {
    const setting = "authentication_timeout=5s";
    expect(serverSettings(5432, OPTIONS)).toContain(setting);
    const compose = readFileSync(join(projectRoot, "docker-compose.yml"), "utf8");
    expect(compose).toContain(`      - -c\n      - ${setting}\n`);
  });
});

it("the server of npm start lets its superuser alone copy it, and every login read its own database", () => {
  const made = `# replication all
local   all             all                                     scram-sha-256
host    all             all             127.0.0.1/32            scram-sha-256
local   replication     all                                     scram-sha-256
host    replication     all             127.0.0.1/32            scram-sha-256
host    replication     all             ::1/128                 scram-sha-256
`;
  const wanted = copiesForSuperuserAlone(made, "postgres");
  expect(wanted).toBe(`# replication all
local   all             all                                     scram-sha-256
host    all             all             127.0.0.1/32            scram-sha-256
local   replication     postgres                                     scram-sha-256
host    replication     postgres             127.0.0.1/32            scram-sha-256
host    replication     postgres             ::1/128                 scram-sha-256
`);
  expect(copiesForSuperuserAlone(wanted, "postgres")).toBe(wanted);
});
