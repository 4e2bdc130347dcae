import { z } from "zod";
import { writeAudit } from "../../../domain/account/store/audit-log.ts";
import { eventType } from "../../../domain/event/answers/event-type-answer.ts";
import { deliveryAnswer } from "../../../domain/webhook/answers/delivery-answer.ts";
import type { Endpoint } from "../../../domain/webhook/rules/endpoint.ts";
import { rotateAccountSecret } from "../../../domain/webhook/store/account-secrets.ts";
import { findDelivery } from "../../../domain/webhook/store/deliveries.ts";
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  hasEndpoint,
  listEndpoints,
  updateEndpoint,
} from "../../../domain/webhook/store/endpoints.ts";
import { EVENT_TYPES, isEventType, SENT_EVENT_TYPES } from "../../../messages/events.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { optionalOrNull, textUpTo } from "../../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom } from "../../../platform/http/paging.ts";
import { idText, listOf, timeText } from "../../../platform/http/routing/answer-fields.ts";
import { accepted, created, noContent, ok } from "../../../platform/http/routing/reply.ts";
import { MAX_URL_LENGTH } from "../../../platform/net/url-rules.ts";
import {
  byCustomer,
  DELETE,
  GET,
  PATCH,
  POST,
  type CustomerPath,
  type CustomerRoute,
} from "../../access/customer-routes.ts";
import type { ApiDeps } from "../../api-deps.ts";
import { rotateEndpointSecret, testEndpoint } from "./store.ts";

const shownEndpoint = z.object({
  id: idText("The endpoint's id"),
  url: z.string().meta({
    description: "Where events are sent",
    examples: ["https://hooks.example.com/porting"],
  }),
  description: z.string().nullable().meta({ description: "To distinguish endpoints" }),
  enabled_events: z
    .array(eventType)
    .meta({ description: "The types of events that are sent; empty for all" }),
  active: z.boolean().meta({ description: "False while the endpoint is paused" }),
  max_per_second: z
    .int()
    .nullable()
    .meta({ description: "The most webhooks a second, 1 to 1,000; null for no limit" }),
  paused_by: z
    .enum(["customer", "system"])
    .nullable()
    .meta({ description: "Who paused it; the system does after days without a success" }),
  paused_reason: z.string().nullable().meta({ description: "Why the system paused it" }),
  created_at: timeText("When it was created"),
  updated_at: timeText("When it last changed"),
  last_success_at: timeText("When a delivery last succeeded").nullable(),
  last_failure_at: timeText("When an attempt last failed").nullable(),
  consecutive_failures: z.int().meta({
    description: "Failed attempts since the last success, or since it was last made active",
    examples: [0],
  }),
});

const signingSecret = z.string().meta({
  description: "The secret that signs webhooks, shown once",
  examples: ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="],
});

/** A webhook endpoint (docs/contract/customer-api.md, Webhook endpoints). */
export const endpointAnswer = shownEndpoint.meta({
  id: "WebhookEndpoint",
  description: "An HTTPS URL that events are sent to",
});

export type EndpointAnswer = z.output<typeof endpointAnswer>;

/** An endpoint with its secret, as returned on creation. */
export const newEndpointAnswer = shownEndpoint.extend({ signing_secret: signingSecret }).meta({
  id: "WebhookEndpointWithSecret",
  description: "A new endpoint, with its signing secret",
});

const rotatedSecret = z.object({
  signing_secret: signingSecret,
  previous_secret_expires_at: timeText(
    "Until then deliveries are signed with both secrets",
  ).nullable(),
});

const rotatedAccountSecretAnswer = rotatedSecret.meta({
  id: "RotatedAccountSecret",
  description: "The account's new signing secret",
});

export const rotatedEndpointSecretAnswer = rotatedSecret
  .extend({ id: idText("The endpoint's id") })
  .meta({ id: "RotatedEndpointSecret", description: "The endpoint's new signing secret" });

const url = z.string().meta({
  description: `Where events are sent: HTTPS, at a public address, on port 443 or from 1024 on, without user name and fragment, up to ${MAX_URL_LENGTH} characters`,
  examples: ["https://hooks.example.com/porting"],
});
const description = textUpTo(500)
  .nullable()
  .meta({ description: "To distinguish endpoints, up to 500 characters" });
const maxPerSecond = z
  .int()
  .min(1)
  .max(1_000)
  .nullable()
  .meta({ description: "The most webhooks a second, 1 to 1,000; null for no limit" });
const active = z.boolean().meta({ description: "False pauses the endpoint" });
/** Names the types, because a typo is found by comparing. */
const NO_SUCH_TYPE = `Unknown event type. The event types are ${EVENT_TYPES.join(", ")}.`;

const enabledEvents = z
  .array(z.enum(EVENT_TYPES, NO_SUCH_TYPE))
  .max(100)
  .transform((types) => [...new Set(types)])
  .meta({ description: "The types of events that are sent; empty for all" });

/** POST /v2/webhook_endpoints; whether the URL is allowed is checked separately. */
export const newEndpointBody = z.strictObject({
  url,
  description: description.default(null),
  enabled_events: enabledEvents.default([]),
  active: active.default(true),
  max_per_second: maxPerSecond.default(null),
});

/** PATCH /v2/webhook_endpoints/{id}: absent fields keep their values. */
export const patchEndpointBody = z.strictObject({
  url: url.optional(),
  description: description.optional(),
  enabled_events: enabledEvents.optional(),
  active: active.optional(),
  max_per_second: maxPerSecond.optional(),
});

const LONGEST_OVERLAP_S = 604_800;

/** The rotation of an endpoint's or the account's secret: how long the previous one signs too. */
export const rotateSecretBody = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(LONGEST_OVERLAP_S)
    .default(0)
    .meta({
      description: `How long the previous secret signs too, in seconds: 0 to ${LONGEST_OVERLAP_S}`,
      examples: [86_400],
    }),
});

/** The `find` of a route under a webhook endpoint's path. */
export function ownEndpoint({ db, principal, params: { id } }: CustomerPath): Promise<Endpoint> {
  return findEndpoint(db, { accountId: principal.accountId, id });
}

type EndpointDeps = Pick<ApiDeps, "bus" | "box" | "checkUrl">;

const PATH = "/v2/webhook_endpoints";

/** `/v2/webhook_endpoints`: create (the secret is shown once), list, read, change, delete. */
export function webhookEndpointRoutes(deps: EndpointDeps): CustomerRoute[] {
  return [createRoute(deps), listRoute(), readRoute(), patchRoute(deps), deleteRoute(deps)];
}

function createRoute({ bus: { clock }, box, checkUrl }: EndpointDeps) {
  return POST(PATH, "Create a webhook endpoint", {
    description:
      "At most 20 an account. The response is the only place where the signing secret is shown.",
    answers: { 201: newEndpointAnswer },
    refuses: ["webhook_url_blocked"],
    noStore: true,
    body: newEndpointBody,
    prepare: ({ body }, preparing) => checkUrl(preparing, body.url, "#/url"),
    handle: async ({ db, principal: { accountId }, body }) => {
      const now = clock.now();
      const { endpoint, secret } = await inTransaction(db, (tx) =>
        createEndpoint(tx, { accountId, settings: body, box, now }),
      );
      return created({ ...endpoint, signing_secret: secret }, `${PATH}/${endpoint.id}`);
    },
  });
}

function listRoute() {
  return GET(PATH, "List the webhook endpoints", {
    description: "The account's endpoints, without their secrets.",
    answers: { 200: listOf(endpointAnswer) },
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { db, query } = request;
      const { accountId } = request.principal;
      const range = await rangeFrom(query, (id) => hasEndpoint(db, { accountId, id }));
      const rows = await listEndpoints(db, { accountId, range });
      return page(request, rows);
    },
  });
}

function readRoute() {
  return GET(`${PATH}/:id`, "Read a webhook endpoint", {
    description: "An endpoint with its last success and failure, without its secret.",
    answers: { 200: endpointAnswer },
    find: ownEndpoint,
    handle: async (request) => ok(await ownEndpoint(request)),
  });
}

function patchRoute({ bus: { clock }, checkUrl }: EndpointDeps) {
  return PATCH(`${PATH}/:id`, "Change, pause or resume a webhook endpoint", {
    description:
      "Fields that are absent keep their values. What is skipped while an endpoint is paused is not sent on resume; a recovery sends it.",
    answers: { 200: endpointAnswer },
    refuses: ["webhook_url_blocked"],
    find: ownEndpoint,
    body: patchEndpointBody,
    prepare: async (request, preparing) => {
      const { body } = request;
      if (body.url === undefined) return;
      // Another account's id must give 404 before the body is checked, which may resolve the URL's host name.
      await ownEndpoint(request);
      await checkUrl(preparing, body.url, "#/url");
    },
    handle: async ({ db, principal: { accountId }, params: { id }, body }) => {
      const change = { patch: body, now: clock.now() };
      return ok(await inTransaction(db, (tx) => updateEndpoint(tx, { accountId, id }, change)));
    },
  });
}

function deleteRoute({ bus: { clock } }: EndpointDeps) {
  return DELETE(`${PATH}/:id`, "Delete a webhook endpoint", {
    description: "Deliveries that wait are cancelled; the delivery log stays.",
    answers: { 204: null },
    find: ownEndpoint,
    handle: async ({ db, principal: { accountId }, params: { id } }) => {
      await deleteEndpoint(db, { accountId, id }, clock.now());
      return noContent();
    },
  });
}

type ActionDeps = Pick<ApiDeps, "bus" | "box">;

const testBody = z.strictObject({
  event_type: optionalOrNull(
    z.enum(SENT_EVENT_TYPES, {
      error: ({ input }) =>
        typeof input === "string" && isEventType(input)
          ? "Events of this type are never sent as webhooks."
          : NO_SUCH_TYPE,
    }),
  ).describe("The type of the sample event; the first enabled one unless given"),
});

/** Actions on a webhook endpoint other than changing it. */
export function webhookEndpointActionRoutes(deps: ActionDeps): CustomerRoute[] {
  return [rotateRoute(deps), testRoute(deps)];
}

function rotateRoute({ bus: { clock }, box }: ActionDeps) {
  return POST(`${PATH}/:id/rotate_secret`, "Rotate an endpoint's signing secret", {
    description:
      "During the overlap webhooks are signed with both secrets; another rotation ends it, because at most two are valid. The response is the only place where the new one is shown.",
    answers: { 200: rotatedEndpointSecretAnswer },
    noStore: true,
    find: ownEndpoint,
    body: rotateSecretBody,
    handle: async (request) => {
      const { id } = request.params;
      const { accountId } = request.principal;
      const now = clock.now();
      const rotation = { box, overlapSeconds: request.body.overlap_seconds, now };
      const { secret, previousExpiresAt } = await inTransaction(request.db, async (tx) => {
        const rotated = await rotateEndpointSecret(tx, { accountId, id }, rotation);
        await writeAudit(tx, {
          ...byCustomer(request, now),
          action: "webhook_endpoint.secret_rotated",
          after: {
            webhook_endpoint_id: id,
            previous_secret_expires_at: rotated.previousExpiresAt,
          },
        });
        return rotated;
      });
      return ok({ id, signing_secret: secret, previous_secret_expires_at: previousExpiresAt });
    },
  });
}

function testRoute({ bus }: ActionDeps) {
  return POST(`${PATH}/:id/test`, "Send a sample event to an endpoint", {
    description:
      "Its objects do not exist, and it is not in the feed. The response is the delivery, which will show the result.",
    answers: { 202: deliveryAnswer },
    refuses: ["endpoint_paused"],
    find: ownEndpoint,
    body: testBody,
    handle: async ({ db, principal: { accountId }, params: { id }, body }) => {
      const context = { messages: bus, accountId, now: bus.clock.now() };
      const delivery = await inTransaction(db, async (tx) => {
        const request = { endpointId: id, type: body.event_type };
        return findDelivery(tx, accountId, await testEndpoint(tx, context, request));
      });
      return accepted(delivery);
    },
  });
}

const ACCOUNT_SECRET_PATH = "/v2/webhook_signing_secret/rotate";

/** The secret that signs deliveries to orders' own `webhook_url`, handed out with the account's first key. */
export function accountSecretRoutes({
  bus: { clock },
  box,
}: Pick<ApiDeps, "bus" | "box">): CustomerRoute[] {
  const rotate = POST(
    ACCOUNT_SECRET_PATH,
    "Rotate the account's signing secret for orders' own webhook_url",
    {
      description:
        "The secret that signs webhooks to a `webhook_url` that is not an endpoint's. The response is the only place where the new one is shown.",
      answers: { 200: rotatedAccountSecretAnswer },
      noStore: true,
      body: rotateSecretBody,
      handle: async (request) => {
        const { accountId } = request.principal;
        const now = clock.now();
        const { secret, previousExpiresAt } = await inTransaction(request.db, async (tx) => {
          const { overlap_seconds: overlap } = request.body;
          const rotated = await rotateAccountSecret(tx, { accountId, box, now }, overlap);
          await writeAudit(tx, {
            ...byCustomer(request, now),
            action: "account.signing_secret_rotated",
            after: { previous_secret_expires_at: rotated.previousExpiresAt },
          });
          return rotated;
        });
        return ok({ signing_secret: secret, previous_secret_expires_at: previousExpiresAt });
      },
    },
  );
  return [rotate];
}
