import { beforeAll, describe, expect, it } from "@jest/globals";
import { CONFLUENT_API } from "../../infra/local-stack/logins.ts";
import { startRegistryGate } from "../../infra/local-stack/registry-gate.ts";
import { warnOfForeignVersions } from "../../infra/topics/foreign-versions.ts";
import { subjectOf, TOPICS } from "../../services/messages/topics.ts";
import { createSchemaRegistry } from "../../services/platform/avro/schema-registry.ts";
import type { RegistryAccess } from "../../services/platform/avro/registry-connection.ts";
import { systemClock } from "../../services/platform/clock.ts";
import { endAfterTests } from "../support/lifetime/end-after-tests.ts";
import { testStack } from "../support/stack/test-stack.ts";
import { createTestTopics } from "../support/stack/test-topics.ts";

const { schema_registry_url: bare } = testStack();
const { text } = TOPICS["carriers.updates"];

let url: string;
let subject: string;

beforeAll(async () => {
  const gate = await startRegistryGate({
    host: "127.0.0.1",
    port: 0,
    passwords: { reader: "of-reader", writer: "of-writer" },
    upstream: () => new URL(bare).origin,
  });
  endAfterTests(() => gate.stop());
  url = `http://127.0.0.1:${gate.port}${CONFLUENT_API}`;
  subject = subjectOf(`${await createTestTopics({ onBroker: false })}carriers.updates`);
});

function as(user: string): RegistryAccess {
  return {
    SCHEMA_REGISTRY_URL: url,
    SCHEMA_REGISTRY_USERNAME: user,
    SCHEMA_REGISTRY_PASSWORD: `of-${user}`,
  };
}

/** The status of a request as this user; as nobody: without a login. */
async function ask(user: string | null, method: string, path: string, body?: unknown) {
  const login = Buffer.from(`${user ?? ""}:of-${user ?? ""}`).toString("base64");
  const response = await fetch(url + path, {
    method,
    headers: {
      "content-type": "application/vnd.schemaregistry.v1+json",
      ...(user === null ? {} : { authorization: `Basic ${login}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return response.status;
}

describe("the embedded registry's login", () => {
  it("lets services and carriers find what they write with, and read what they were sent", async () => {
    const registry = createSchemaRegistry({ access: as("reader"), clock: systemClock });
    const id = await registry.idOf(subject, text);
    expect(await registry.schemaById(id)).toMatchObject({ name: "CarrierUpdate" });
    expect(await registry.idOf(subject, text.trim())).toEqual(expect.any(Number));
  });

  it("lets only the writer register and set rules, and nobody delete for ever", async () => {
    const other = `${subject}-of-the-login`;
    const changes = [
      ["POST", `/subjects/${other}/versions`, { schema: text }],
      ["PUT", `/config/${other}`, { compatibility: "NONE" }],
      ["DELETE", `/subjects/${other}`, undefined],
      ["DELETE", `/subjects/${other}?permanent=true`, undefined],
    ] as const;
    const asked = async (user: string | null): Promise<number[]> => {
      const statuses: number[] = [];
      for (const [method, path, body] of changes) {
        statuses.push(await ask(user, method, path, body));
      }
      return statuses;
    };
    expect(await asked(null)).toEqual([401, 401, 401, 401]);
    expect(await asked("reader")).toEqual([403, 403, 403, 403]);
    expect(await asked("stranger")).toEqual([401, 401, 401, 401]);
    expect(await asked("writer")).toEqual([200, 200, 200, 403]);
  });

  it("reads no body without end, and hides whatever else the registry serves", async () => {
    const large = { schema: "x".repeat(2 * 1024 * 1024) };
    const sent = ask("reader", "POST", `/subjects/${subject}`, large).catch(() => 413);
    expect(await sent).toBe(413);
    const exported = await fetch(`${new URL(url).origin}/apis/registry/v3/admin/export`);
    expect(exported.status).toBe(401);
  });

  it("has versions named that no release of ours has, whoever registered them", async () => {
    const planned = [{ subject, text }];
    expect(await warnOfForeignVersions(as("reader"), planned)).toEqual([]);
    const strange = JSON.parse(text) as { fields: unknown[] };
    strange.fields.push({ name: "strange", type: ["null", "string"], default: null });
    const body = { schema: JSON.stringify(strange) };
    expect(await ask("writer", "POST", `/subjects/${subject}/versions`, body)).toBe(200);
    const [line, ...others] = await warnOfForeignVersions(as("reader"), planned);
    expect(line).toContain(`version 3 of ${subject}`);
    expect(others).toEqual([]);
  });
});
