import type { DataSource } from "typeorm";
import { z } from "zod";
import { EXAMPLE_API_KEY } from "../../domain/account/rules/api-key.ts";
import { idText, listOf, timeText } from "../../platform/http/routing/answer-fields.ts";
import type { AccountRow } from "../../domain/account/store/account-entity.ts";
import {
  createAccount,
  findAccount,
  listAccounts,
  setAccountStatus,
} from "../../domain/account/store/accounts.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { inEntityTransaction } from "../../platform/db/data-source.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging/paging.ts";
import { created, ok } from "../../platform/http/routing/reply.ts";
import { byOperator } from "../access/operator.ts";
import { GET, POST, type DeskRoute } from "../access/desk-routes.ts";

interface AccountDeps {
  readonly dataSource: DataSource;
  readonly bus: Pick<Bus, "pool" | "clock">;
}

const PATH = "/desk/v1/accounts";

const accountAnswer = z
  .object({
    id: idText(),
    name: z.string().meta({ examples: ["Acme"] }),
    status: z.enum(["active", "suspended"]),
    created_at: timeText(),
  })
  .meta({ id: "Account" });

const newAccountAnswer = accountAnswer
  .extend({
    api_key: z
      .string()
      .meta({ description: "The first key, shown once", examples: [EXAMPLE_API_KEY] }),
  })
  .meta({ id: "NewAccount" });

/** `/desk/v1/accounts`: create with the first key (shown once), read, suspend, reinstate. */
export function accountRoutes(deps: AccountDeps): DeskRoute[] {
  return [
    createRoute(deps),
    listRoute(deps),
    readRoute(deps),
    statusRoute(deps, "suspend"),
    statusRoute(deps, "reinstate"),
  ];
}

function createRoute({ dataSource, bus: { clock } }: AccountDeps): DeskRoute {
  return POST(PATH, "Create an account with its first API key", {
    answers: { 201: newAccountAnswer },
    noStore: true,
    body: z.strictObject({ name: z.string().min(1).max(128) }),
    handle: async (request) => {
      const { name } = request.body;
      const at = clock.now();
      const { account, apiKey } = await inEntityTransaction(dataSource, async ({ tx, manager }) => {
        const made = await createAccount(manager, { name, at });
        await writeAudit(tx, {
          ...byOperator(request, at),
          action: "account.created",
          accountId: made.account.id,
          after: { name, status: made.account.status },
        });
        return made;
      });
      return created({ ...present(account), api_key: apiKey }, `${PATH}/${account.id}`);
    },
  });
}

function listRoute({ dataSource, bus: { pool } }: AccountDeps): DeskRoute {
  return GET(PATH, "List accounts", {
    answers: { 200: listOf(accountAnswer) },
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { query } = request;
      const range = await rangeFrom(query, (id) => findAccount(dataSource.manager, id));
      const rows = await listAccounts(pool, range);
      return page(request, rows.map(present));
    },
  });
}

function readRoute({ dataSource }: AccountDeps): DeskRoute {
  return GET(`${PATH}/:id`, "Read an account", {
    answers: { 200: accountAnswer },
    handle: async ({ params }) => {
      const account = await findAccount(dataSource.manager, params.id);
      if (account === null) throw noSuchAccount();
      return ok(present(account));
    },
  });
}

const ACTIONS = {
  suspend: {
    summary: "Suspend an account: its requests are answered 403 from now on",
    status: "suspended",
    action: "account.suspended",
  },
  reinstate: { summary: "Reinstate an account", status: "active", action: "account.reinstated" },
} as const;

function statusRoute({ bus: { pool, clock } }: AccountDeps, act: keyof typeof ACTIONS): DeskRoute {
  const { summary, status, action } = ACTIONS[act];
  return POST(`${PATH}/:id/${act}`, summary, {
    answers: { 200: accountAnswer },
    handle: async (request) => {
      const { id } = request.params;
      const account = await inTransaction(pool, async (tx) => {
        const change = await setAccountStatus(tx, id, status);
        if (change === null) throw noSuchAccount();
        await writeAudit(tx, {
          ...byOperator(request, clock.now()),
          action,
          accountId: id,
          before: { status: change.previousStatus },
          after: { status },
        });
        return change.account;
      });
      return ok(present(account));
    },
  });
}

function noSuchAccount(): AppError {
  return new AppError("not_found", "There is no such account.");
}

function present({ id, name, status, created_at }: AccountRow) {
  return { id, name, status, created_at };
}
