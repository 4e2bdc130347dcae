import { z } from "zod";
import {
  apiKeyAnswer,
  newApiKeyAnswer,
  newApiKeyBody,
} from "../../domain/account/answers/api-key-answer.ts";
import {
  ACCOUNT_STATUSES,
  countAccounts,
  createAccount,
  findAccount,
  listAccounts,
  renameAccount,
  setAccountStatus,
  type AccountFilter,
  type AccountRow,
} from "../../domain/account/store/accounts.ts";
import {
  hasApiKey,
  issueApiKey,
  listApiKeys,
  requireRoomForKey,
  revokeApiKey,
} from "../../domain/account/store/api-keys.ts";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { addAccountSecret } from "../../domain/webhook/store/account-secrets.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { countedRange } from "../../platform/db/count-rows.ts";
import { idRange } from "../../platform/db/id-range.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { textUpTo, writtenText } from "../../platform/http/body/fields.ts";
import {
  page,
  pageOf,
  pageQuery,
  pageRows,
  rangeFrom,
  scanFrom,
  type FilterParameters,
} from "../../platform/http/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { created, noContent, ok } from "../../platform/http/routing/reply.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import {
  admin,
  byOperator,
  viewer,
  type DeskPath,
  type DeskRoute,
  type OperatorRequest,
} from "../access/desk-routes.ts";
import { exportRoute } from "../lists/export-route.ts";
import { countedListOf, ordered, orderQuery, totalQuery, withTotal } from "../lists/list-query.ts";
import { accountAnswer, accountDetailAnswer, newAccountAnswer } from "./answers.ts";
import { noticeSettingsRoutes } from "./notice-routes.ts";
import { readAccountDetail } from "./store.ts";

interface AccountDeps {
  /** Seals the accounts' signing secrets. */
  readonly box: SecretBox;
  readonly bus: Pick<RouteBus, "clock">;
}

/** @throws `not_found` */
async function requireAccount(db: Queryable, id: string): Promise<AccountRow> {
  const account = await findAccount(db, id);
  if (account === null) throw noSuchAccount();
  return account;
}

function noSuchAccount(): AppError {
  return new AppError("not_found", "There is no such account.");
}

const PATH = "/desk/v1/accounts";

const nameBody = z.strictObject({
  name: writtenText(128).meta({
    description: "The customer's name, which the portal shows; names may repeat",
    examples: ["Acme"],
  }),
});

const accountFilters = {
  status: z
    .array(z.enum(ACCOUNT_STATUSES))
    .optional()
    .describe("Accounts in any of these statuses"),
  q: textUpTo(128, z.string().min(1))
    .optional()
    .meta({ description: "Part of the name, in any case, or the id", examples: ["acme"] }),
} satisfies FilterParameters<AccountFilter>;

const listQuery = z.strictObject({
  ...pageQuery,
  ...orderQuery("name", "By name, in any case"),
  ...totalQuery,
  ...accountFilters,
});

async function readPage({ db }: Pick<OperatorRequest, "db">, given: z.output<typeof listQuery>) {
  const query = ordered(given);
  const scan = await scanFrom(query, (id) => findAccount(db, id));
  const list =
    query.order_by === undefined
      ? { range: idRange(scan, query), filter: query }
      : { range: idRange({ ...scan, cursorId: null }, query), filter: query, byName: scan };
  return pageRows((await listAccounts(db, list)).map(present), query);
}

/** `/desk/v1/accounts`: create with the first key and secret (shown once), list, read, rename, suspend, reinstate. */
export function accountRoutes(deps: AccountDeps): DeskRoute[] {
  return [
    createRoute(deps),
    listRoute(),
    exportRoute(PATH, {
      name: "accounts",
      answer: accountAnswer,
      query: listQuery,
      read: readPage,
    }),
    readRoute(),
    renameRoute(deps),
    suspendRoute(deps),
    reinstateRoute(deps),
    ...noticeSettingsRoutes(deps),
    ...accountKeyRoutes(deps),
  ];
}

function createRoute({ box, bus: { clock } }: AccountDeps): DeskRoute {
  return admin.POST(PATH, "Create an account with its first API key", {
    description: "The key and the secret are in this answer alone: give them to the customer.",
    answers: { 201: newAccountAnswer },
    noStore: true,
    body: nameBody,
    handle: async (request) => {
      const { name } = request.body;
      const at = clock.now();
      const made = await inTransaction(request.db, async (tx) => {
        const { account, apiKey } = await createAccount(tx, { name, at });
        const secret = await addAccountSecret(tx, { accountId: account.id, box, now: at });
        await writeAudit(tx, {
          ...byOperator(request, at),
          action: "account.created",
          accountId: account.id,
          after: { name, status: account.status },
        });
        return { ...present(account), api_key: apiKey, webhook_signing_secret: secret };
      });
      return created(made, `${PATH}/${made.id}`);
    },
  });
}

function listRoute(): DeskRoute {
  return viewer.GET(PATH, "List accounts", {
    description: "Active and suspended ones.",
    answers: { 200: countedListOf(accountAnswer) },
    query: listQuery,
    handle: async (request) => {
      const { query } = request;
      const reply = pageOf(request, await readPage(request, query));
      return withTotal(request, reply, () =>
        countAccounts(request.db, { range: countedRange(query), filter: query }),
      );
    },
  });
}

function readRoute(): DeskRoute {
  return viewer.GET(`${PATH}/:id`, "Read an account", {
    description: "With what it has and, while it is suspended, why, since when and by whom.",
    answers: { 200: accountDetailAnswer },
    find: ownAccount,
    handle: async ({ db, params: { id } }) => {
      const account = await requireAccount(db, id);
      const { suspended, counts } = await readAccountDetail(db, id);
      const suspension =
        account.status === "suspended" && suspended !== null
          ? { ...suspended, at: new Date(suspended.at).toISOString() }
          : null;
      return ok({ ...present(account), suspension, counts });
    },
  });
}

function renameRoute({ bus: { clock } }: AccountDeps): DeskRoute {
  return admin.PATCH(`${PATH}/:id`, "Rename an account", {
    description: "Orders, keys and webhooks stay as they are.",
    answers: { 200: accountAnswer },
    find: ownAccount,
    body: nameBody,
    handle: async (request) => {
      const { id } = request.params;
      const { name } = request.body;
      const account = await inTransaction(request.db, async (tx) => {
        const renamed = await renameAccount(tx, id, name);
        if (renamed === null) throw noSuchAccount();
        await writeAudit(tx, {
          ...byOperator(request, clock.now()),
          action: "account.renamed",
          accountId: id,
          before: { name: renamed.previousName },
          after: { name },
        });
        return renamed.account;
      });
      return ok(present(account));
    },
  });
}

function suspendRoute(deps: AccountDeps): DeskRoute {
  const summary = "Suspend an account: its requests are answered 403 from now on";
  return admin.POST(`${PATH}/:id/suspend`, summary, {
    description:
      "At once and in every process. Its webhooks wait; its orders go on with the desk and the carriers.",
    answers: { 200: accountAnswer },
    find: ownAccount,
    body: z.strictObject({
      reason: writtenText(1_000).meta({
        description: "Why, for the desk alone: in the account and the audit log",
        examples: ["Unpaid invoices"],
      }),
    }),
    handle: (request) => {
      const { reason } = request.body;
      return setStatus(deps, request, { status: "suspended", reason });
    },
  });
}

function reinstateRoute(deps: AccountDeps): DeskRoute {
  return admin.POST(`${PATH}/:id/reinstate`, "Reinstate an account", {
    description: "Its requests are answered again at once, and the webhooks that waited are sent.",
    answers: { 200: accountAnswer },
    find: ownAccount,
    handle: (request) => setStatus(deps, request, { status: "active" }),
  });
}

interface NewStatus {
  readonly status: AccountRow["status"];
  readonly reason?: string;
}

async function setStatus({ bus: { clock } }: AccountDeps, request: DeskPath, after: NewStatus) {
  const { id } = request.params;
  const account = await inTransaction(request.db, async (tx) => {
    const change = await setAccountStatus(tx, id, after.status);
    if (change === null) throw noSuchAccount();
    await writeAudit(tx, {
      ...byOperator(request, clock.now()),
      action: after.status === "suspended" ? "account.suspended" : "account.reinstated",
      accountId: id,
      before: { status: change.previousStatus },
      after: { ...after },
    });
    return change.account;
  });
  return ok(present(account));
}

function present({ id, name, status, created_at }: AccountRow) {
  return { id, name, status, created_at };
}

const KEYS_PATH = "/desk/v1/accounts/:id/api_keys";

/** An account's keys, for its customer: issue (the key is shown once), list, revoke. */
function accountKeyRoutes(deps: AccountDeps): DeskRoute[] {
  return [listKeysRoute(), issueKeyRoute(deps), revokeKeyRoute(deps)];
}

/** The `find` of a route under an account's path. */
function ownAccount({ db, params: { id } }: Pick<DeskPath, "db" | "params">) {
  return requireAccount(db, id);
}

function listKeysRoute(): DeskRoute {
  return viewer.GET(KEYS_PATH, "List an account's keys, including revoked ones", {
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

function issueKeyRoute({ bus }: AccountDeps): DeskRoute {
  return admin.POST(KEYS_PATH, "Issue a key for an account", {
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

function revokeKeyRoute({ bus }: AccountDeps): DeskRoute {
  return admin.DELETE(`${KEYS_PATH}/:api_key_id`, "Revoke a key of an account", {
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
