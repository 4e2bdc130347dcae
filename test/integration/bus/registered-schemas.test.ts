import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { readSchemaTexts } from "../../../services/messages/generate/generate-types.ts";
import { subjectOf, TOPICS } from "../../../services/messages/topics.ts";
import { createSchemaRegistry } from "../../../services/platform/avro/schema-registry.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { testStack } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const { schema_registry_url: registryUrl } = testStack();
const files = [...readSchemaTexts(process.cwd()).values()];
const found = z.object({ id: z.int(), schema: z.string() });

let prefix: string;

beforeAll(async () => {
  prefix = await createTestTopics({ onBroker: false });
});

/** The registry's answer on a subject, as any client asks for it: with this text. */
async function ask(path: string, schema: string): Promise<unknown> {
  const response = await fetch(registryUrl + path, {
    method: "POST",
    headers: { "content-type": "application/vnd.schemaregistry.v1+json" },
    body: JSON.stringify({ schema }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

describe("the schema registry", () => {
  it.each(Object.entries(TOPICS))(
    "finds the file's own text for %s under the id that we use, whoever looks it up or registers it",
    async (topic, { text }) => {
      expect(files).toContain(text);
      const subject = subjectOf(prefix + topic);
      const registry = createSchemaRegistry({
        access: { SCHEMA_REGISTRY_URL: registryUrl },
        clock: systemClock,
      });
      const id = await registry.idOf(subject, text);
      const path = `/subjects/${encodeURIComponent(subject)}`;
      const known = found.parse(await ask(path, text));
      expect(known.id).toBe(id);
      expect(known.schema).toBe(text);
      expect(await ask(`${path}/versions`, text)).toEqual({ id });
      // Confluent's clients cut the line break off the end of the file.
      const trimmed = found.parse(await ask(path, text.trim()));
      expect(await ask(`${path}/versions`, text.trim())).toEqual({ id: trimmed.id });
      expect(JSON.parse(trimmed.schema)).toEqual(JSON.parse(text));
    },
  );
});
