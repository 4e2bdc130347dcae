import { z } from "zod";
import {
  apiKeyAnswer,
  newApiKeyAnswer,
  newApiKeyBody,
} from "../../domain/account/answers/api-key-answer.ts";
import {
  hasApiKey,
  issueApiKey,
  listApiKeys,
  requireRoomForKey,
  revokeApiKey,
} from "../../domain/account/store/api-keys.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, noContent } from "../../platform/http/routing/reply.ts";
import { admin, viewer, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";
import { AppError } from "../../platform/errors.ts";
import { byOperator } from "../access/operator.ts";
import { requireAccount, type AccountDeps } from "./require-account.ts";

const PATH = "/desk/v1/accounts/:id/api_keys";

/** An account's keys, for its customer: issue (the key is shown once), list, revoke. */
export function accountKeyRoutes(deps: AccountDeps): DeskRoute[] {
  return [listRoute(), issueRoute(deps), revokeRoute(deps)];
}

/** The `find` of a route under an account's path. */
function ownAccount({ db, params: { id } }: Pick<DeskPath, "db" | "params">) {
  return requireAccount(db, id);
}

function listRoute(): DeskRoute {
  return viewer.GET(PATH, "List an account's keys, including revoked ones", {
    description: "By their prefixes; nobody can read a key again.",
    answers: { 200: listOf(apiKeyAnswer) },
    find: ownAccount,
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { db, query } = request;
      const { id: accountId } = await ownAccount(request);
      const range = await rangeFrom(query, (id) => hasApiKey(db, accountId, id));
      return page(request, await listApiKeys(db, { accountId, range }));
    },
  });
}

function issueRoute({ bus }: AccountDeps): DeskRoute {
  return admin.POST(PATH, "Issue a key for an account", {
    description: "The key is in this answer alone; the account's other keys stay valid.",
    answers: { 201: newApiKeyAnswer },
    refuses: ["quota_exceeded"],
    noStore: true,
    find: ownAccount,
    body: newApiKeyBody,
    handle: async (request) => {
      const at = bus.clock.now();
      const { id: accountId } = request.params;
      const { record, key } = await inTransaction(request.db, async (tx) => {
        await requireAccount(tx, accountId);
        await requireRoomForKey(tx, accountId);
        const issued = await issueApiKey(tx, {
          accountId,
          name: request.body.name ?? null,
          at,
        });
        const { id, name, prefix } = issued.record;
        const after = { api_key_id: id, name, prefix };
        const action = "api_key.issued";
        await writeAudit(tx, { ...byOperator(request, at), action, accountId, after });
        return issued;
      });
      return created({ ...record, key }, `/desk/v1/accounts/${accountId}/api_keys/${record.id}`);
    },
  });
}

function revokeRoute({ bus }: AccountDeps): DeskRoute {
  return admin.DELETE(`${PATH}/:api_key_id`, "Revoke a key of an account", {
    description:
      "At once and in every process. The last active key is refused: issue another first.",
    answers: { 204: null },
    refuses: ["last_active_key"],
    find: async ({ db, params: { id, api_key_id: keyId } }) => {
      if (await hasApiKey(db, id, keyId)) return;
      throw new AppError("not_found", "There is no such key.");
    },
    handle: async (request) => {
      const { id: accountId, api_key_id: id } = request.params;
      const at = bus.clock.now();
      const also = (tx: Queryable) =>
        writeAudit(tx, {
          ...byOperator(request, at),
          action: "api_key.revoked",
          accountId,
          before: { api_key_id: id, revoked_at: null },
          after: { api_key_id: id, revoked_at: at.toISOString() },
        });
      await revokeApiKey(request.db, accountId, { id, at, also });
      return noContent();
    },
  });
}
