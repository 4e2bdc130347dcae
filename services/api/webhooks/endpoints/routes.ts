import { z } from "zod";
import { endpointAnswer, newEndpointAnswer } from "./answers.ts";
import { listOf } from "../../../platform/http/routing/answer-fields.ts";
import {
  createEndpoint,
  deleteEndpoint,
  hasEndpoint,
  listEndpoints,
  updateEndpoint,
} from "../../../domain/webhook/store/endpoints.ts";
import type { ApiDeps } from "../../api-deps.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { page, pageQuery, rangeFrom } from "../../../platform/http/paging.ts";
import { created, noContent, ok } from "../../../platform/http/routing/reply.ts";
import { ownEndpoint } from "./own-endpoint.ts";
import { DELETE, GET, PATCH, POST, type CustomerRoute } from "../../access/customer-routes.ts";
import { newEndpointBody, patchEndpointBody } from "./body.ts";

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
