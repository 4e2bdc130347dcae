import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { creationEffects } from "../../domain/order/rules/creation-effects.ts";
import { decideSplit, partsOf, type Split } from "../../domain/order/rules/decide-split.ts";
import { orderMessages } from "../../domain/order/rules/order-messages.ts";
import type { Actor, Order } from "../../domain/order/rules/order.ts";
import { applyToOrder, refusalError } from "../../domain/order/store/order-commands.ts";
import { keepOwnConfigurations } from "../../domain/order/store/number-configuration.ts";
import { lockAnyOrder } from "../../domain/order/store/read-order.ts";
import type { MessageWriter } from "../../messages/bus/outgoing.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { writtenText } from "../../platform/http/body/fields.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { newId, newIds } from "../../platform/ids.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { byOperator, reviewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { deskOrderAnswer } from "./answers.ts";
import { presentDeskOrder, showOrders } from "./show-orders.ts";
import { findAnyOrder, requireAnyOrder } from "./store/find-orders.ts";
import { insertPart } from "./store/split-order.ts";

const MOST_GROUPS = 20;

/** An order whose carrier asks for several is divided, and each part submitted again. */
export function splitRoute(desk: DeskDeps): DeskRoute {
  const { bus, files } = desk;
  return reviewer.POST("/desk/v1/orders/:id/split", "Split an order that waits for the desk", {
    description:
      "For an order that its carrier rejected for what the desk owns. The first group stays in it, each other one becomes an order of the same batch with copies of values, documents and approvals. All are submitted again: a case each, whose confirmation sends it to the carrier.",
    answers: { 200: listOf(deskOrderAnswer) },
    refuses: ["invalid_state", "not_ready"],
    find: ({ db, params }) => requireAnyOrder(db, params.id),
    body: z.strictObject({
      groups: z
        .array(z.array(z.string()).min(1).max(1_000))
        .min(2)
        .max(MOST_GROUPS)
        .meta({
          description: `2 to ${MOST_GROUPS} groups, in which each number of the order is once`,
          examples: [[["+12125550143"], ["+12125550144"]]],
        }),
      reason: writtenText(4_000).describe("Why, for colleagues: in the timeline"),
    }),
    handle: async (request) => {
      const { groups, reason } = request.body;
      const { operatorId: id, name } = request.principal;
      const now = bus.clock.now();
      const by = { now, actor: { type: "desk", id, name } } as const;
      const split = { groups, ids: newIds(now, groups.length - 1), note: reason };
      const order = await findAnyOrder(request.db, request.params.id);
      const decision = decideSplit(order, split, by);
      if (!decision.allowed) throw refusalError(decision.refusal);
      const copies = await copyDocuments(files, order, { split, now });
      const orders = await inTransaction(request.db, async (tx) => {
        const before = await lockAnyOrder(tx, order.id);
        const after = await splitLocked({ ...bus, tx }, desk, { before, split, copies, by });
        await writeAudit(tx, {
          ...byOperator(request, now),
          action: "order.split",
          accountId: before.account_id,
          portingOrderId: before.id,
          before: { status: before.status },
          after: { status: after[0]?.status, reason, groups, orders: split.ids },
        });
        return after;
      });
      const data = await showOrders({ ...desk, db: request.db }, orders, presentDeskOrder);
      return ok({ data, has_more: false });
    },
  });
}

/** Of each new order the ids of its documents' copies, by those of the originals. */
type Copies = ReadonlyMap<string, ReadonlyMap<string, string>>;

const documentsOf = ({ requirements }: Order): string[] =>
  requirements.flatMap(({ document_id: id }) => id ?? []);

/** Stores the files before their rows; those that get no row are swept. */
async function copyDocuments(
  files: Pick<FileStore, "copy">,
  order: Order,
  { split: { ids }, now }: { readonly split: Split; readonly now: Date },
): Promise<Copies> {
  const copies = new Map<string, Map<string, string>>();
  for (const id of ids) {
    const own = new Map<string, string>();
    for (const from of documentsOf(order)) {
      const to = newId(now);
      await files.copy(from, to);
      own.set(from, to);
    }
    copies.set(id, own);
  }
  return copies;
}

interface LockedSplit {
  readonly before: Order;
  readonly split: Split;
  readonly copies: Copies;
  readonly by: { readonly actor: Actor; readonly now: Date };
}

/** The order that is split and the new ones, all submitted again. */
async function splitLocked(
  writer: MessageWriter,
  { box }: Pick<DeskDeps, "box">,
  { before, split, copies, by }: LockedSplit,
): Promise<Order[]> {
  const [any] = copies.values();
  if (documentsOf(before).some((id) => any?.has(id) !== true)) {
    throw new AppError("invalid_state", "The order's documents have just changed: split it again.");
  }
  const parts = partsOf(before, split, by.now).map((part) => {
    const effects = creationEffects([part])[0] ?? [];
    const { messages, eventSequence } = orderMessages(writer, { order: part, effects }, by);
    const copied = copies.get(part.id) ?? new Map<string, string>();
    return { part: { ...part, event_sequence: eventSequence }, effects, messages, copied };
  });
  for (const { part, effects, copied } of parts) {
    await insertPart(writer.tx, box, { from: before, part, copies: copied, effects, by });
  }
  await keepOwnConfigurations(writer.tx, split.ids);
  const orders = [
    await applyToOrder(writer, before, { command: { command: "split", ...split }, ...by }),
  ];
  for (const { part, messages, copied } of parts) {
    await writeOutbox(writer.tx, messages);
    const requirements = part.requirements.map((one) => ({
      ...one,
      document_id: copied.get(one.document_id ?? "") ?? null,
    }));
    const command = { command: "submit" } as const;
    orders.push(await applyToOrder(writer, { ...part, requirements }, { command, ...by }));
  }
  return orders;
}
