import type { Pool } from "pg";
import { z } from "zod";
import {
  endpointAnswer,
  newEndpointAnswer,
  rotatedAccountSecretAnswer,
} from "../webhook-answers.ts";
import { listOf } from "../../../platform/http/routing/answer-fields.ts";
import { idRange } from "../../../platform/db/id-range.ts";
import { rotateAccountSecret } from "../../../domain/webhook/store/account-secrets.ts";
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  hasEndpoint,
  listEndpoints,
  updateEndpoint,
} from "./store/endpoints.ts";
import type { Clock } from "../../../platform/clock.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { uuid } from "../../../platform/http/body/fields.ts";
import { page, pageQuery, scanFrom } from "../../../platform/http/paging/paging.ts";
import { created, noContent, ok } from "../../../platform/http/routing/reply.ts";
import { routesFor } from "../../../platform/http/routing/route.ts";
import type { Route } from "../../../platform/http/routing/route.ts";
import type { CheckUrl } from "../../../platform/net/url-check.ts";
import type { SecretBox } from "../../../platform/secret-box.ts";
import { ownEndpoint } from "./own-endpoint.ts";
import type { AccountPrincipal } from "../../access/principal.ts";
import { newEndpointBody, patchEndpointBody } from "./body.ts";

export interface WebhookEndpointRouteDeps {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly checkUrl: CheckUrl;
}

const PATH = "/v2/webhook_endpoints";
const defineRoute = routesFor<AccountPrincipal>();
const params = z.strictObject({ id: uuid() });

/** `/v2/webhook_endpoints`, and the account's own signing secret. */
export function webhookEndpointRoutes(deps: WebhookEndpointRouteDeps): Route<AccountPrincipal>[] {
  return [
    createRoute(deps),
    listRoute(deps),
    readRoute(deps),
    patchRoute(deps),
    deleteRoute(deps),
    rotateAccountSecretRoute(deps),
  ];
}

function createRoute({ pool, clock, box, checkUrl }: WebhookEndpointRouteDeps) {
  return defineRoute({
    method: "POST",
    path: PATH,
    access: "account",
    doc: {
      summary: "Create a webhook endpoint",
      answers: { "201": newEndpointAnswer },
      refuses: ["webhook_url_blocked"],
    },
    noStore: true,
    body: newEndpointBody,
    handle: async ({ principal: { accountId }, body }) => {
      await checkUrl(body.url, "#/url");
      const now = clock.now();
      const { endpoint, secret } = await inTransaction(pool, (tx) =>
        createEndpoint(tx, { accountId, settings: body, box, now }),
      );
      return created({ ...endpoint, signing_secret: secret }, `${PATH}/${endpoint.id}`);
    },
  });
}

function listRoute({ pool }: WebhookEndpointRouteDeps) {
  return defineRoute({
    method: "GET",
    path: PATH,
    access: "account",
    doc: { summary: "List the webhook endpoints", answers: { "200": listOf(endpointAnswer) } },
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { query } = request;
      const { accountId } = request.principal;
      const scan = await scanFrom(query, (id) => hasEndpoint(pool, { accountId, id }));
      const rows = await listEndpoints(pool, { accountId, range: idRange(scan, query) });
      return page(request, { rows, id: (row) => row.id, present: (row) => row });
    },
  });
}

function readRoute({ pool }: WebhookEndpointRouteDeps) {
  return defineRoute({
    method: "GET",
    path: `${PATH}/:id`,
    access: "account",
    doc: { summary: "Read a webhook endpoint", answers: { "200": endpointAnswer } },
    params,
    handle: async ({ principal: { accountId }, params: { id } }) =>
      ok(await findEndpoint(pool, { accountId, id })),
  });
}

function patchRoute({ pool, clock, checkUrl }: WebhookEndpointRouteDeps) {
  return defineRoute({
    method: "PATCH",
    path: `${PATH}/:id`,
    access: "account",
    doc: {
      summary: "Change, pause or resume a webhook endpoint",
      answers: { "200": endpointAnswer },
      refuses: ["webhook_url_blocked"],
    },
    params,
    find: ownEndpoint(pool),
    body: patchEndpointBody,
    handle: async ({ principal: { accountId }, params: { id }, body }) => {
      if (body.url !== undefined) {
        // A foreign id is 404 before its body is judged by what our resolver finds.
        await findEndpoint(pool, { accountId, id });
        await checkUrl(body.url, "#/url");
      }
      const change = { patch: body, now: clock.now() };
      return ok(await inTransaction(pool, (tx) => updateEndpoint(tx, { accountId, id }, change)));
    },
  });
}

function deleteRoute({ pool, clock }: WebhookEndpointRouteDeps) {
  return defineRoute({
    method: "DELETE",
    path: `${PATH}/:id`,
    access: "account",
    doc: { summary: "Delete a webhook endpoint", answers: { "204": null } },
    params,
    handle: async ({ principal: { accountId }, params: { id } }) => {
      await deleteEndpoint(pool, { accountId, id }, clock.now());
      return noContent();
    },
  });
}

/** What signs deliveries to orders' own `webhook_url`. */
function rotateAccountSecretRoute({ pool, clock, box }: WebhookEndpointRouteDeps) {
  return defineRoute({
    method: "POST",
    path: "/v2/webhook_signing_secret/rotate",
    access: "account",
    doc: {
      summary: "Give the account another secret for orders' own webhook_url",
      answers: { "200": rotatedAccountSecretAnswer },
    },
    noStore: true,
    handle: async ({ principal: { accountId } }) => {
      const secret = await rotateAccountSecret(pool, { accountId, box, now: clock.now() });
      return ok({ signing_secret: secret });
    },
  });
}
