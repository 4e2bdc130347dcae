import type { DataSource } from "typeorm";
import { z } from "zod";
import { EXAMPLE_API_KEY } from "../../domain/account/rules/api-key.ts";
import { idText, listOf, timeText } from "../../platform/http/routing/answer-fields.ts";
import {
  hasApiKey,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKeyRecord,
} from "../../domain/account/store/api-keys.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging/paging.ts";
import { created, noContent } from "../../platform/http/routing/reply.ts";
import { DELETE, GET, POST, type CustomerRoute } from "../access/customer-routes.ts";

interface KeyDeps {
  readonly dataSource: DataSource;
  readonly bus: Pick<Bus, "pool" | "clock">;
}

const PATH = "/v2/api_keys";

const apiKeyAnswer = z
  .object({
    id: idText(),
    name: z.string().nullable(),
    prefix: z.string().meta({
      description: "The key's first 14 characters",
      examples: [EXAMPLE_API_KEY.slice(0, 14)],
    }),
    created_at: timeText(),
    last_used_at: timeText("Accurate to within a minute").nullable(),
    revoked_at: timeText().nullable(),
  })
  .meta({ id: "ApiKey" });

const newApiKeyAnswer = apiKeyAnswer
  .extend({
    key: z
      .string()
      .meta({ description: "The key itself, shown once", examples: [EXAMPLE_API_KEY] }),
  })
  .meta({ id: "NewApiKey" });

/** `/v2/api_keys`: issue (the key is shown once), list, revoke. */
export function apiKeyRoutes(deps: KeyDeps): CustomerRoute[] {
  return [issueRoute(deps), listRoute(deps), revokeRoute(deps)];
}

function issueRoute({ dataSource, bus: { clock } }: KeyDeps): CustomerRoute {
  return POST(PATH, "Issue a key", {
    answers: { 201: newApiKeyAnswer },
    noStore: true,
    body: z.strictObject({ name: z.string().min(1).max(64).optional() }),
    handle: async ({ principal, body }) => {
      const { record, key } = await issueApiKey(dataSource.manager, {
        accountId: principal.accountId,
        name: body.name ?? null,
        at: clock.now(),
      });
      return created({ ...present(record), key }, `${PATH}/${record.id}`);
    },
  });
}

function listRoute({ dataSource, bus: { pool } }: KeyDeps): CustomerRoute {
  return GET(PATH, "List the keys, including revoked ones", {
    answers: { 200: listOf(apiKeyAnswer) },
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { query } = request;
      const { accountId } = request.principal;
      const range = await rangeFrom(query, (id) => hasApiKey(dataSource.manager, accountId, id));
      const rows = await listApiKeys(pool, { accountId, range });
      return page(request, rows.map(present));
    },
  });
}

function revokeRoute({ bus: { pool, clock } }: KeyDeps): CustomerRoute {
  return DELETE(`${PATH}/:id`, "Revoke a key", {
    answers: { 204: null },
    refuses: ["last_active_key"],
    handle: async ({ principal, params }) => {
      await revokeApiKey(pool, principal.accountId, { id: params.id, at: clock.now() });
      return noContent();
    },
  });
}

function present({ id, name, prefix, created_at, last_used_at, revoked_at }: ApiKeyRecord) {
  return { id, name, prefix, created_at, last_used_at, revoked_at };
}
