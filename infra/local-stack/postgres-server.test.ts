import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../project-root.ts";
import { serverSettings } from "./postgres-server.ts";

const OPTIONS = { durable: true, walArchive: null, maxConnections: 200 };

describe("the settings of Postgres", () => {
  it("end a connection that does not log in within 5 s, so that few of them lock nobody out", () => {
    const setting = "authentication_timeout=5s";
    expect(serverSettings(5432, OPTIONS)).toContain(setting);
    const compose = readFileSync(join(projectRoot, "docker-compose.yml"), "utf8");
    expect(compose).toContain(`      - -c\n      - ${setting}\n`);
  });
});
