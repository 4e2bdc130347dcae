import { z } from "zod";
import {
  apiKeyAnswer,
  newApiKeyAnswer,
  newApiKeyBody,
} from "../../domain/account/answers/api-key-answer.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import {
  hasApiKey,
  issueApiKey,
  listApiKeys,
  requireRoomForKey,
  revokeApiKey,
  type ApiKeyRecord,
} from "../../domain/account/store/api-keys.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { byCustomer, DELETE, GET, POST, type CustomerRoute } from "../access/customer-routes.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { notFound } from "../../platform/http/body/check-request.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { created, noContent } from "../../platform/http/routing/reply.ts";

interface KeyDeps {
  readonly bus: Pick<RouteBus, "clock">;
}

const PATH = "/v2/api_keys";

/** `/v2/api_keys`: issue (the key is shown once), list, revoke. */
export function apiKeyRoutes(deps: KeyDeps): CustomerRoute[] {
  return [issueRoute(deps), listRoute(), revokeRoute(deps)];
}

function issueRoute({ bus: { clock } }: KeyDeps): CustomerRoute {
  return POST(PATH, "Issue a key", {
    description: "The response is the only place where the key itself is shown.",
    answers: { 201: newApiKeyAnswer },
    refuses: ["quota_exceeded"],
    noStore: true,
    body: newApiKeyBody,
    handle: async (request) => {
      const at = clock.now();
      const { accountId } = request.principal;
      const named = { accountId, name: request.body.name ?? null, at };
      const { record, key } = await inTransaction(request.db, async (tx) => {
        await requireRoomForKey(tx, accountId);
        const issued = await issueApiKey(tx, named);
        const { id, name, prefix } = issued.record;
        const after = { api_key_id: id, name, prefix };
        await writeAudit(tx, { ...byCustomer(request, at), action: "api_key.issued", after });
        return issued;
      });
      return created({ ...present(record), key }, `${PATH}/${record.id}`);
    },
  });
}

function listRoute(): CustomerRoute {
  return GET(PATH, "List the keys, including revoked ones", {
    description: "Keys are shown by prefix, with their last use.",
    answers: { 200: listOf(apiKeyAnswer) },
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { db, query } = request;
      const { accountId } = request.principal;
      const range = await rangeFrom(query, (id) => hasApiKey(db, accountId, id));
      const rows = await listApiKeys(db, { accountId, range });
      return page(request, rows.map(present));
    },
  });
}

function revokeRoute({ bus: { clock } }: KeyDeps): CustomerRoute {
  return DELETE(`${PATH}/:id`, "Revoke a key", {
    description:
      "It is refused at once, everywhere. The last active key of an account cannot be revoked; a second call is 204 too.",
    answers: { 204: null },
    refuses: ["last_active_key"],
    find: async ({ db, principal: { accountId }, params: { id } }) => {
      if (!(await hasApiKey(db, accountId, id))) throw notFound();
    },
    handle: async (request) => {
      const { id } = request.params;
      const at = clock.now();
      const entry = { ...byCustomer(request, at), action: "api_key.revoked" };
      const also = (tx: Queryable) => writeAudit(tx, { ...entry, after: { api_key_id: id } });
      await revokeApiKey(request.db, request.principal.accountId, { id, at, also });
      return noContent();
    },
  });
}

function present({ id, name, prefix, created_at, last_used_at, revoked_at }: ApiKeyRecord) {
  return { id, name, prefix, created_at, last_used_at, revoked_at };
}
