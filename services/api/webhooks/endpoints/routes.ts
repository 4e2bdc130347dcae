import { z } from "zod";
import { endpointAnswer, newEndpointAnswer } from "./answers.ts";
import { listOf } from "../../../platform/http/routing/answer-fields.ts";
import {
  createEndpoint,
  deleteEndpoint,
  findEndpoint,
  hasEndpoint,
  listEndpoints,
  updateEndpoint,
} from "../../../domain/webhook/store/endpoints.ts";
import type { ApiDeps } from "../../api-deps.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { page, pageQuery, rangeFrom } from "../../../platform/http/paging/paging.ts";
import { created, noContent, ok } from "../../../platform/http/routing/reply.ts";
import { ownEndpoint } from "./own-endpoint.ts";
import { DELETE, GET, PATCH, POST, type CustomerRoute } from "../../access/customer-routes.ts";
import { newEndpointBody, patchEndpointBody } from "./body.ts";

type EndpointDeps = Pick<ApiDeps, "bus" | "box" | "checkUrl">;

const PATH = "/v2/webhook_endpoints";

/** `/v2/webhook_endpoints`: create (the secret is shown once), list, read, change, delete. */
export function webhookEndpointRoutes(deps: EndpointDeps): CustomerRoute[] {
  return [createRoute(deps), listRoute(deps), readRoute(deps), patchRoute(deps), deleteRoute(deps)];
}

function createRoute({ bus: { pool, clock }, box, checkUrl }: EndpointDeps) {
  return POST(PATH, "Create a webhook endpoint", {
    description:
      "At most 20 an account. The response is the only place where the signing secret is shown.",
    answers: { 201: newEndpointAnswer },
    refuses: ["webhook_url_blocked"],
    noStore: true,
    body: newEndpointBody,
    prepare: ({ body }, preparing) => checkUrl(preparing, body.url, "#/url"),
    handle: async ({ principal: { accountId }, body }) => {
      const now = clock.now();
      const { endpoint, secret } = await inTransaction(pool, (tx) =>
        createEndpoint(tx, { accountId, settings: body, box, now }),
      );
      return created({ ...endpoint, signing_secret: secret }, `${PATH}/${endpoint.id}`);
    },
  });
}

function listRoute({ bus: { pool } }: EndpointDeps) {
  return GET(PATH, "List the webhook endpoints", {
    description: "The account's endpoints, without their secrets.",
    answers: { 200: listOf(endpointAnswer) },
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { query } = request;
      const { accountId } = request.principal;
      const range = await rangeFrom(query, (id) => hasEndpoint(pool, { accountId, id }));
      const rows = await listEndpoints(pool, { accountId, range });
      return page(request, rows);
    },
  });
}

function readRoute({ bus: { pool } }: EndpointDeps) {
  return GET(`${PATH}/:id`, "Read a webhook endpoint", {
    description: "An endpoint with its last success and failure, without its secret.",
    answers: { 200: endpointAnswer },
    find: ownEndpoint(pool),
    handle: async ({ principal: { accountId }, params: { id } }) =>
      ok(await findEndpoint(pool, { accountId, id })),
  });
}

function patchRoute({ bus: { pool, clock }, checkUrl }: EndpointDeps) {
  return PATCH(`${PATH}/:id`, "Change, pause or resume a webhook endpoint", {
    description:
      "Fields that are absent keep their values. What is skipped while an endpoint is paused is not sent on resume; a recovery sends it.",
    answers: { 200: endpointAnswer },
    refuses: ["webhook_url_blocked"],
    find: ownEndpoint(pool),
    body: patchEndpointBody,
    prepare: async ({ principal: { accountId }, params: { id }, body }, preparing) => {
      if (body.url === undefined) return;
      // Another account's id must give 404 before the body is checked, which may resolve the URL's host name.
      await findEndpoint(pool, { accountId, id });
      await checkUrl(preparing, body.url, "#/url");
    },
    handle: async ({ principal: { accountId }, params: { id }, body }) => {
      const change = { patch: body, now: clock.now() };
      return ok(await inTransaction(pool, (tx) => updateEndpoint(tx, { accountId, id }, change)));
    },
  });
}

function deleteRoute({ bus: { pool, clock } }: EndpointDeps) {
  return DELETE(`${PATH}/:id`, "Delete a webhook endpoint", {
    description: "Deliveries that wait are cancelled; the delivery log stays.",
    answers: { 204: null },
    find: ownEndpoint(pool),
    handle: async ({ principal: { accountId }, params: { id } }) => {
      await deleteEndpoint(pool, { accountId, id }, clock.now());
      return noContent();
    },
  });
}
