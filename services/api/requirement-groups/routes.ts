import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { findUploads, noteUses } from "../../domain/document/store/documents.ts";
import { findOrder } from "../../domain/order/store/read-order.ts";
import { readRequirementValues } from "../../domain/requirement/store/requirement-values.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { invalid, notFound } from "../../platform/http/body/check-request.ts";
import { optionalOrNull, uuid } from "../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging.ts";
import { idText, listOf, timeText } from "../../platform/http/routing/answer-fields.ts";
import { created, noContent, ok } from "../../platform/http/routing/reply.ts";
import { newId } from "../../platform/ids.ts";
import {
  byCustomer,
  DELETE,
  GET,
  PATCH,
  POST,
  type CustomerPath,
  type CustomerRoute,
} from "../access/customer-routes.ts";
import type { ApiDeps } from "../api-deps.ts";
import { textLine } from "../requirements/text-line.ts";
import {
  findSavedFaults,
  savedDocuments,
  savedOf,
  savedRequirements,
  type SavedRequirements,
} from "./saved-requirements.ts";
import {
  deleteGroup,
  findGroup,
  insertGroup,
  listGroups,
  updateGroup,
  type RequirementGroup,
} from "./store.ts";

type GroupDeps = Pick<ApiDeps, "bus" | "box">;

const PATH = "/v2/requirement_groups";
const MAX_NAME = 128;

const nameMeta = {
  description: `What you call the holder, up to ${MAX_NAME} characters`,
  examples: ["Acme Dental, Berlin"],
};
const name = textLine(MAX_NAME).meta(nameMeta);

export const groupAnswer = z
  .object({
    id: idText("The `requirement_group_id` of orders"),
    name: z.string().meta(nameMeta),
    requirements: savedRequirements,
    created_at: timeText("When it was saved"),
    updated_at: timeText("When it was last changed"),
  })
  .meta({ id: "RequirementGroup", description: "A holder's values for the next orders" });

const example = { name: "Acme Dental", requirements: { entity_name: "Acme Dental LLC" } };

/** `/v2/requirement_groups`: holders whose values an account keeps for its next orders. */
export function requirementGroupRoutes(deps: GroupDeps): CustomerRoute[] {
  return [saveRoute(deps), listRoute(), readRoute(), changeRoute(deps), deleteRoute(deps)];
}

interface GroupPath extends Pick<CustomerPath, "principal" | "params"> {
  readonly db: Queryable;
}

async function ownGroup(
  { db, principal, params }: GroupPath,
  lock?: "lock",
): Promise<RequirementGroup> {
  const group = await findGroup(db, { accountId: principal.accountId, id: params.id }, lock);
  if (group === null) throw notFound();
  return group;
}

interface Sent {
  readonly db: Queryable;
  readonly accountId: string;
  readonly requirements: SavedRequirements;
  readonly now: Date;
}

/** The uploads that are named, which stay from now on. @throws `validation_failed` with every fault */
async function requireSaved({ db, accountId, requirements, now }: Sent): Promise<string[]> {
  const uploads = await findUploads(db, accountId, savedDocuments(requirements));
  const faults = findSavedFaults(requirements, { uploads, now });
  if (faults.length > 0) throw invalid("body", faults);
  const ids = [...uploads.values()].map(({ id }) => id);
  if (ids.length > 0) await noteUses(db, ids, now);
  return ids;
}

const newGroupBody = z
  .strictObject({
    name,
    requirements: optionalOrNull(savedRequirements),
    porting_order_id: optionalOrNull(uuid()).meta({
      description:
        "An order whose values are kept, as far as they belong to its holder; what `requirements` gives comes first. Its documents remain its own",
    }),
  })
  .refine((sent) => (sent.requirements ?? sent.porting_order_id) !== undefined, {
    path: ["requirements"],
    error: "Give values, or an order that has them.",
    params: { code: "required" },
  })
  .meta({ examples: [example] });

interface NewGroup extends Pick<CustomerPath, "principal"> {
  readonly db: Queryable;
  readonly body: z.output<typeof newGroupBody>;
}

function orderFault(code: string, detail: string): AppError {
  return invalid("body", [{ pointer: "#/porting_order_id", code, detail }]);
}

/** @throws `validation_failed` for an unknown order, and where there is none at all */
async function requirementsOf(
  { box }: Pick<ApiDeps, "box">,
  { db, principal, body }: NewGroup,
): Promise<SavedRequirements> {
  const { requirements = {}, porting_order_id: id } = body;
  if (id === undefined) return requirements;
  const order = await findOrder(db, principal.accountId, id).catch((error: unknown) => {
    if (error instanceof AppError) throw orderFault("unknown_order", error.message);
    throw error;
  });
  const values = await readRequirementValues(db, box, order.id);
  const saved = { ...savedOf(values), ...requirements };
  if (Object.keys(saved).length > 0) return saved;
  throw orderFault("required", "The order has no value of its holder.");
}

function saveRoute(deps: GroupDeps): CustomerRoute {
  const { clock } = deps.bus;
  return POST(PATH, "Save a holder for the next orders", {
    operationId: "createRequirementGroup",
    description:
      "An order that is created or changed with its `requirement_group_id` gets those of these values that it asks for, takes and has not been given. Its documents stay for as long as the group does.",
    answers: { 201: groupAnswer },
    refuses: ["quota_exceeded"],
    body: newGroupBody,
    handle: async (request) => {
      const { db, principal, body } = request;
      const { accountId } = principal;
      const now = clock.now();
      const group = await inTransaction(db, async (tx) => {
        const requirements = await requirementsOf(deps, { db: tx, principal, body });
        const made = { id: newId(now), name: body.name, created_at: now, updated_at: now };
        const group = { ...made, requirements };
        const documentIds = await requireSaved({ db: tx, accountId, requirements, now });
        await insertGroup(tx, { accountId, group, documentIds });
        const entry = { ...byCustomer(request, now), action: "requirement_group.created" };
        await writeAudit(tx, { ...entry, after: audited(group) });
        return group;
      });
      return created(group, `${PATH}/${group.id}`);
    },
  });
}

function listRoute(): CustomerRoute {
  return GET(PATH, "List the saved holders", {
    operationId: "listRequirementGroups",
    description: "Newest first.",
    answers: { 200: listOf(groupAnswer) },
    query: z.strictObject(pageQuery),
    handle: async (request) => {
      const { db, query } = request;
      const { accountId } = request.principal;
      const isOwn = async (id: string) => (await findGroup(db, { accountId, id })) !== null;
      const rows = await listGroups(db, { accountId, range: await rangeFrom(query, isOwn) });
      return page(request, rows);
    },
  });
}

function readRoute(): CustomerRoute {
  return GET(`${PATH}/:id`, "Read a saved holder", {
    operationId: "getRequirementGroup",
    description: "Its values as they were given, and the ids of its documents.",
    answers: { 200: groupAnswer },
    find: (request) => ownGroup(request),
    handle: async (request) => ok(await ownGroup(request)),
  });
}

function changeRoute({ bus: { clock } }: GroupDeps): CustomerRoute {
  return PATCH(`${PATH}/:id`, "Change a saved holder", {
    operationId: "updateRequirementGroup",
    description:
      "`requirements` takes the place of all values that there were. Orders keep what they have been given.",
    answers: { 200: groupAnswer },
    find: (request) => ownGroup(request),
    body: z
      .strictObject({ name: name.optional(), requirements: savedRequirements.optional() })
      .meta({ examples: [example] }),
    handle: async (request) => {
      const { db, principal, params, body } = request;
      const { accountId } = principal;
      const now = clock.now();
      const changed = await inTransaction(db, async (tx) => {
        const before = await ownGroup({ db: tx, principal, params }, "lock");
        const { name = before.name, requirements = before.requirements } = body;
        const group = { ...before, name, requirements, updated_at: now };
        const documentIds = await requireSaved({ db: tx, accountId, requirements, now });
        await updateGroup(tx, { accountId, group, documentIds });
        const entry = { ...byCustomer(request, now), action: "requirement_group.changed" };
        await writeAudit(tx, { ...entry, before: audited(before), after: audited(group) });
        return group;
      });
      return ok(changed);
    },
  });
}

function deleteRoute({ bus: { clock } }: GroupDeps): CustomerRoute {
  return DELETE(`${PATH}/:id`, "Delete a saved holder", {
    operationId: "deleteRequirementGroup",
    description: "Orders keep what they have been given.",
    answers: { 204: null },
    find: (request) => ownGroup(request),
    handle: async (request) => {
      const { db, principal, params } = request;
      const now = clock.now();
      await inTransaction(db, async (tx) => {
        const before = await ownGroup({ db: tx, principal, params }, "lock");
        await deleteGroup(tx, { accountId: principal.accountId, id: before.id });
        const entry = { ...byCustomer(request, now), action: "requirement_group.deleted" };
        await writeAudit(tx, { ...entry, before: audited(before) });
      });
      return noContent();
    },
  });
}

/** Who the holder is, is nobody's business but the account's. */
function audited({ id, requirements }: RequirementGroup) {
  return { requirement_group_id: id, requirements: Object.keys(requirements) };
}
