import {
  EVENT_CATALOGUE,
  type CatalogueEntry,
} from "../../../services/api/openapi/event-catalogue.ts";
import {
  fieldTypeOf,
  type RequirementDefinition,
} from "../../../services/domain/countries/fields/requirement-definition.ts";
import { customerDocument } from "../../../services/api/routes.ts";
import type { ApiDocument } from "../../client/document.ts";
import { fieldTable, resolved } from "../reference/field-rows.ts";
import { EXCEPTION_CATALOGUE } from "../../../services/domain/order/rules/exception-catalogue.ts";
import { PORT_OUT_REJECT_CODES } from "../../../services/domain/port-out/rules/port-out.ts";
import { ORDER_KINDS } from "../../../services/domain/requirement/rules/catalogue.ts";
import { ATTEMPT_ERRORS } from "../../../services/domain/webhook/rules/delivery.ts";
import { PROBLEMS, type ProblemCode } from "../../../services/platform/http/problem.ts";
import { createAnchors } from "../headings.ts";
import {
  codeList,
  expiryTable,
  markdownTable,
  quotaTable,
  retryTable,
  sizeTable,
} from "./limit-tables.ts";
import { orderKindTables } from "./terms-tables.ts";

/** What a client does about a problem; a code without a line is a compiler error. */
const ADVICE: Readonly<Record<ProblemCode, string>> = {
  malformed_json: "Send UTF-8 JSON, nested 32 deep at most. A bug in the client: do not retry.",
  invalid_parameter:
    "`errors[].parameter` names the query parameter: unknown, malformed, outside its range, or a cursor that is not yours.",
  invalid_header: "`errors[].header` names the header. Do not retry it as it is.",
  unauthorized:
    "The key is missing, wrong or revoked; the answer is the same for all three. Check the header, then the list of keys.",
  account_suspended: "Ask the operator of the platform. Nothing is lost meanwhile.",
  forbidden:
    "In the portal: the request did not come from our own page, or the link may not do it.",
  not_found:
    "There is no such object in your account. An object of another account looks the same, and so does a deleted draft.",
  method_not_allowed: "`Allow` lists the methods of this path.",
  not_acceptable: "Drop the `Accept` header, or accept the media type that the reference names.",
  invalid_state:
    "The object has moved on. Read it again: `status` and `next_action` say what is possible now.",
  not_ready:
    "`errors[]` names each requirement that is missing, in exception, too old or still being checked. Fill it, then submit again.",
  last_active_key: "Create another key first, then revoke this one.",
  number_in_active_order:
    "One of your orders has the number. Cancel that order, delete its draft, or leave the number out.",
  cancel_too_late: "The port is about to happen or under way. Write a comment to the desk.",
  change_too_late:
    "The port is about to happen or under way: cancel the order if that is still possible, or write a comment to the desk.",
  endpoint_paused: "Set `active` to true, then retry the delivery.",
  idempotency_in_progress:
    "The first request under this key is still running. Wait a second and send the same request again.",
  claimed: "At the desk only: another operator works on the case.",
  already_decided: "At the desk only: the case has been decided.",
  quota_exceeded: "Submit or delete drafts, or ask the operator for a higher quota.",
  payload_too_large: "Send less: [limits](limits.md) lists the sizes.",
  unsupported_media_type: "Send JSON, or a multipart form where a document is expected.",
  validation_failed:
    "`errors[]` has every fault at once, each with its place (`pointer`) and a code of its own. Correct them all, then send it again.",
  webhook_url_blocked:
    "Use an HTTPS URL that keeps [the rules](webhooks.md#the-url-of-an-endpoint); `errors[]` names the one that it breaks.",
  idempotency_key_reused:
    "Another request was sent under this key within 24 hours. Use a new key for a new request.",
  rate_limited:
    "Wait as long as `Retry-After` says. `RateLimit` shows what is left on every answer.",
  internal: "Retry with the same `Idempotency-Key`. If it stays, report the `request_id`.",
  unavailable: "Wait as long as `Retry-After` says, then retry with the same `Idempotency-Key`.",
};

/** Every code of a problem, from the table that answers are made by. */
function problemTable(): string {
  const rows = Object.entries(PROBLEMS).map(([code, { status, title }]) => [
    status,
    `\`${code}\``,
    title,
    ADVICE[code as ProblemCode],
  ]);
  return markdownTable(["Status", "Code", "Title", "What to do"], rows);
}

const OWNERS = { customer: "you", desk: "the desk", carrier: "the carrier" } as const;

/** Why carriers and the desk reject orders, from the catalogue of `GET /v2/porting_exceptions`. */
function rejectionTable(): string {
  const rows = EXCEPTION_CATALOGUE.map(({ code, title, detail, slugs, owner }) => [
    `\`${code}\``,
    title,
    detail,
    codeList(slugs),
    OWNERS[owner],
  ]);
  return markdownTable(["Code", "Title", "Meaning", "Requirement", "Resolved by"], rows);
}

/** Why an attempt of a delivery failed. */
function attemptErrorTable(): string {
  const rows = Object.entries(ATTEMPT_ERRORS).map(([code, text]) => [`\`${code}\``, text]);
  return markdownTable(["`error.code`", "Meaning"], rows);
}

/** Every event type that is sent: when, in which order of others, its fields and a sample. */
function eventReference(): string {
  const { webhooks, components } = customerDocument() as ApiDocument;
  const shapes = { schemas: components.schemas, homes: new Map<string, string>() };
  return EVENT_CATALOGUE.map((entry) => {
    const body = webhooks[entry.type]?.post.requestBody?.content["application/json"];
    const { payload = {} } = resolved(shapes, body?.schema ?? {}).properties ?? {};
    return chapter(entry, fieldTable(shapes, payload));
  }).join("\n\n");
}

function chapter(
  { type, publishedWhen, follows, precedes, sample }: CatalogueEntry,
  fields: string,
) {
  const parts = [
    `## \`${type}\``,
    publishedWhen,
    `- **Right before it**: ${linkList(follows, type)}\n- **Right after it**: ${linkList(precedes, type)}`,
    fields,
    `\`\`\`json sample=""\n${JSON.stringify(sample, null, 2)}\n\`\`\``,
  ];
  return parts.join("\n\n");
}

function linkList(types: readonly string[], own: string): string {
  if (types.length === 0) return "none";
  return types
    .map((type) => {
      const anchor = createAnchors()(type);
      return type === own ? `\`${type}\` again` : `[\`${type}\`](#${anchor})`;
    })
    .join(", ");
}

/** Every requirement once, as the first kind that asks for it defines it. */
function requirementTable(): string {
  const all = new Map<string, RequirementDefinition>();
  for (const { profile } of ORDER_KINDS) {
    for (const field of profile) if (!all.has(field.slug)) all.set(field.slug, field);
  }
  const rows = [...all.values()]
    .toSorted((a, b) => a.slug.localeCompare(b.slug))
    .map((field) => {
      return [`\`${field.slug}\``, field.name, fieldTypeOf(field), field.description];
    });
  return markdownTable(["Slug", "Name", "Type", "What it is"], rows);
}

/** What pages take from the code's own tables, by the name that they write: `<!-- generated: retries -->`. */
const GENERATED: Readonly<Record<string, () => string>> = {
  problems: problemTable,
  rejections: rejectionTable,
  "attempt-errors": attemptErrorTable,
  retries: retryTable,
  quotas: quotaTable,
  sizes: sizeTable,
  expiries: expiryTable,
  "order-kinds": orderKindTables,
  requirements: requirementTable,
  "port-out-codes": () => codeList(PORT_OUT_REJECT_CODES),
  events: eventReference,
};

/** With what stands in its place for who reads the file itself. */
const MARK = /^<!-- generated: ([a-z-]+) -->(\n\n_Made from the code: .*_)?$/gm;

/** The sentence of a page with this address. */
export const placeholderOf = (url: string): string =>
  `_Made from the code: read it at \`${url}\` of a running API._`;

/** A page's Markdown with each mark replaced. @throws for a mark that names nothing */
export function withGenerated(markdown: string): string {
  return markdown.replaceAll(MARK, (mark, name: string) => {
    const generate = GENERATED[name];
    if (generate === undefined) throw new Error(`Nothing is generated for ${mark}`);
    return generate();
  });
}
