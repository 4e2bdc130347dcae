import type { z } from "zod";
import { COMPONENT } from "../../platform/openapi/operation-id.ts";
import { orderStatusAnswer } from "../../domain/order/answers/order-answer.ts";
import { numberType } from "../../domain/number/answers/number-fields.ts";
import { portOutAnswer } from "../../domain/port-out/answers/port-out-answer.ts";
import { requirementAnswer } from "../../domain/requirement/answers/requirement-answer.ts";
import type { SentEventType } from "../../messages/events.ts";
import { openEnum } from "../../platform/openapi/open-enums.ts";
import { webhookSchemas, type WebhookSchema } from "../openapi/webhook-schemas.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const DEFINITION = "#/$defs/";

/** Enumerations of the API that webhooks use too. */
const SHARED: readonly z.ZodEnum[] = [
  orderStatusAnswer,
  numberType,
  requirementAnswer.shape.status,
  portOutAnswer.shape.status,
];

/** Open, because later versions may add values. */
const ENUMERATIONS: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  SHARED.map((values) => {
    const { id = "", description } = values.meta() ?? {};
    return [id, { description, anyOf: openEnum(values.options) }];
  }),
);

/** Made at the first request for one, because a service starts without them. */
let made: ReadonlyMap<SentEventType, JsonSchema> | null = null;

/**
 * The webhook body of an event type as a JSON Schema (2020-12) that needs no other document: the same schemas that the
 * OpenAPI document has, with what they refer to in `$defs`.
 */
export function webhookJsonSchema(type: SentEventType): JsonSchema {
  made ??= webhookJsonSchemas();
  return made.get(type) ?? {};
}

function webhookJsonSchemas(): ReadonlyMap<SentEventType, JsonSchema> {
  const { webhooks, schemas } = webhookSchemas();
  const components = { ...ENUMERATIONS, ...schemas };
  return new Map(webhooks.map((webhook) => [webhook.type, standalone(components, webhook)]));
}

function standalone(
  components: Readonly<Record<string, JsonSchema>>,
  { type, summary, body }: WebhookSchema,
): JsonSchema {
  const used = new Set<string>();
  const collect = (name: string): void => {
    if (used.has(name)) return;
    const schema = components[name];
    if (schema === undefined) throw new Error(`The schemas of webhooks lack ${name}.`);
    used.add(name);
    for (const other of referencesIn(schema)) collect(other);
  };
  const root = components[body] ?? {};
  for (const name of referencesIn(root)) collect(name);
  const $id = `urn:number-porting-service:webhook:${type}`;
  const $defs = Object.fromEntries([...used].map((name) => [name, inDefs(components[name])]));
  return { $schema: DIALECT, $id, title: summary, ...asObject(inDefs(root)), $defs };
}

/** The names of the components that a schema refers to, at any depth. */
function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return Object.entries(asObject(value)).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string"
      ? [inner.slice(COMPONENT.length)]
      : referencesIn(inner),
  );
}

/** A schema whose references point into `$defs`. */
function inDefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inDefs);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === "$ref" && typeof inner === "string"
        ? [key, DEFINITION + inner.slice(COMPONENT.length)]
        : [key, inDefs(inner)],
    ),
  );
}

function asObject(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
