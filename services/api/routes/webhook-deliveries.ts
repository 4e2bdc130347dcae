import type { Pool } from "pg";
import { z } from "zod";
import { idRange } from "../../platform/db/id-range.ts";
import { DELIVERY_STATUSES } from "../../domain/webhook/delivery.ts";
import { findDelivery, hasDelivery, listDeliveries } from "../../domain/webhook/delivery-store.ts";
import { EVENT_TYPES } from "../../messages/event-types.ts";
import { uuid } from "../../platform/http/fields.ts";
import { keyset, page, pageQuery, unknownCursor } from "../../platform/http/paging.ts";
import { ok } from "../../platform/http/reply.ts";
import { routesFor } from "../../platform/http/route.ts";
import type { Route } from "../../platform/http/route.ts";
import type { AccountPrincipal } from "../principal.ts";

export interface WebhookDeliveryRouteDeps {
  readonly pool: Pool;
}

const PATH = "/v2/webhook_deliveries";
const defineRoute = routesFor<AccountPrincipal>();

const listQuery = z.strictObject({
  ...pageQuery,
  status: z.array(z.enum(DELIVERY_STATUSES)).optional(),
  event_type: z.array(z.enum(EVENT_TYPES)).optional(),
  webhook_endpoint_id: uuid().optional(),
  porting_order_id: uuid().optional(),
  event_id: uuid().optional(),
});

/** `/v2/webhook_deliveries`: the audit log of what was sent. */
export function webhookDeliveryRoutes(deps: WebhookDeliveryRouteDeps): Route<AccountPrincipal>[] {
  return [listRoute(deps), eventTypesRoute(), readRoute(deps)];
}

function listRoute({ pool }: WebhookDeliveryRouteDeps) {
  return defineRoute({
    method: "GET",
    path: PATH,
    access: "account",
    query: listQuery,
    handle: async (request) => {
      const { query } = request;
      const { accountId } = request.principal;
      const scan = keyset(query);
      const { cursorId } = scan;
      if (cursorId !== null && !(await hasDelivery(pool, accountId, cursorId))) {
        throw unknownCursor(query);
      }
      const range = idRange(scan, query);
      const rows = await listDeliveries(pool, { accountId, range, filter: query });
      return page(request, { rows, id: (row) => row.id, present: (row) => row });
    },
  });
}

function eventTypesRoute() {
  return defineRoute({
    method: "GET",
    path: `${PATH}/meta/event_types`,
    access: "account",
    handle: () => ok({ data: EVENT_TYPES, has_more: false }),
  });
}

function readRoute({ pool }: WebhookDeliveryRouteDeps) {
  return defineRoute({
    method: "GET",
    path: `${PATH}/:id`,
    access: "account",
    params: z.strictObject({ id: uuid() }),
    handle: async ({ principal, params }) =>
      ok(await findDelivery(pool, principal.accountId, params.id)),
  });
}
