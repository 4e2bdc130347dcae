import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import { NUMBER_TYPES } from "../../domain/countries/number-type.ts";
import { phoneNumberField } from "../../domain/number/answers/number-fields.ts";
import {
  portedOutMessage,
  RELEASE_REASONS,
  type PlatformNumber,
} from "../../domain/number/rules/platform-number.ts";
import { releaseNumbers } from "../../domain/number/store/leaving-numbers.ts";
import { unknownNumber } from "../../domain/number/store/numbers.ts";
import {
  lockOpenPortOutsOf,
  rejectPortOutsOf,
} from "../../domain/port-out/store/port-out-commands.ts";
import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { instant, optionalOrNull, uuid, writtenText } from "../../platform/http/body/fields.ts";
import { numberText } from "../../platform/http/routing/answer-fields.ts";
import { accepted, ok } from "../../platform/http/routing/reply.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { byOperator, lead, type DeskRoute } from "../access/desk-routes.ts";
import { readAccountNames } from "../accounts/store.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { deskNumberAnswer } from "./answers.ts";
import { planImport, settleImport } from "./plan-import.ts";
import {
  findLastNumber,
  findNumberOf,
  importNumbers,
  lockImports,
  readKnownNumbers,
} from "./store.ts";

const PATH = "/desk/v1/numbers";

const importBody = z.strictObject({
  account_id: uuid().describe("The account that gets the numbers"),
  numbers: z
    .array(
      z.strictObject({
        phone_number: z
          .string()
          .meta({ description: "The number, in E.164", examples: ["+12125550123"] }),
        provider: z
          .string()
          .meta({ description: "The provider that hosts it", examples: ["sandbox"] }),
        number_type: optionalOrNull(z.enum(NUMBER_TYPES)).describe(
          "Its type, where the numbering plan leaves it open",
        ),
        activated_at: optionalOrNull(instant()).describe("Since when it is live; now unless given"),
      }),
    )
    .min(1)
    .max(1_000)
    .describe("Up to 1,000 numbers"),
  dry_run: optionalOrNull(z.boolean()).describe("Only say what would be accepted"),
});

const importAnswer = z.object({
  accepted: z.int().meta({
    description: "How many the account has now, those that it had at this provider included",
    examples: [1],
  }),
  errors: z
    .array(
      z.object({
        pointer: z.string().meta({
          description: "Where in the request it is",
          examples: ["#/numbers/0/phone_number"],
        }),
        phone_number: numberText("The number as sent"),
        code: z.string().meta({
          description: "Why it is not imported, as a code",
          examples: ["already_active"],
        }),
        detail: z
          .string()
          .meta({ description: "The same in words", examples: ["Another account has it."] }),
      }),
    )
    .describe("The numbers that are not imported; the others are"),
});

/** How numbers come without an order, and go without a port-out. */
export function moveRoutes(deps: DeskDeps, hosts: () => readonly string[]): DeskRoute[] {
  return [importRoute(deps, hosts), releaseRoute(deps)];
}

function importRoute({ bus, directory }: DeskDeps, hosts: () => readonly string[]): DeskRoute {
  return lead.POST(PATH, "Import numbers from elsewhere", {
    operationId: "importNumbers",
    description:
      "Numbers that are live already, at a provider of the platform. No `number.activated` is sent. The same request again changes nothing.",
    answers: { 200: importAnswer, 202: importAnswer },
    body: importBody,
    handle: async (request) => {
      const { account_id: accountId, numbers: given, dry_run: isDry = false } = request.body;
      const now = bus.clock.now();
      const { rangeOf } = directory;
      return inTransaction(request.db, async (tx) => {
        await requireAccount(tx, accountId);
        if (!isDry) await lockImports(tx);
        const plan = planImport(given, { rangeOf, hosts: hosts(), now });
        const planned = plan.numbers.map((number) => number.phone_number);
        const known = await readKnownNumbers(tx, planned);
        const settled = settleImport(plan, { given, accountId, known });
        const { added, ...told } = settled;
        if (isDry) return ok(told);
        if (added.length > 0) {
          await importNumbers(tx, accountId, added);
          await writeAudit(tx, {
            ...byOperator(request, now),
            action: "number.imported",
            accountId,
            after: { count: added.length, phone_numbers: added.map((one) => one.phone_number) },
          });
        }
        return accepted(told);
      });
    },
  });
}

/** @throws `validation_failed` */
async function requireAccount(db: Queryable, id: string): Promise<void> {
  if ((await readAccountNames(db, [id])).has(id)) return;
  const detail = "There is no such account.";
  throw new AppError("validation_failed", detail, {
    faults: [{ pointer: "#/account_id", code: "unknown_account", detail }],
  });
}

function releaseRoute({ bus }: DeskDeps): DeskRoute {
  return lead.POST(`${PATH}/:phone_number/release`, "Release a number", {
    operationId: "releaseNumber",
    description:
      "It has left without a port-out: `number.ported_out` is sent, without a carrier, and its open port-outs are rejected as `number_not_active`.",
    answers: { 200: deskNumberAnswer },
    refuses: ["invalid_state"],
    params: { phone_number: phoneNumberField.describe("The number, in E.164") },
    find: ({ db, params }) => findLastNumber(db, params.phone_number),
    body: z.strictObject({
      reason: z.enum(RELEASE_REASONS).describe("Why it left"),
      note: writtenText(1_000).describe("What happened, for the desk"),
      at: optionalOrNull(instant()).describe("When it left; now unless given"),
    }),
    handle: async (request) => {
      const { db, body, params } = request;
      const now = bus.clock.now();
      const { reason, note, at = now } = body;
      const { phone_number } = params;
      const accountId = await inTransaction(db, async (tx) => {
        const before = await findLastNumber(tx, phone_number);
        refuseGone(before);
        refuseTime(at, { since: before.activated_at, now });
        const { account_id } = before;
        // Port-outs are locked before numbers, as by whoever decides one.
        await lockOpenPortOutsOf(tx, [before]);
        const released = { reason, note, at: at.toISOString() };
        const of = { accountId: account_id, phoneNumbers: [phone_number] };
        const [number] = await releaseNumbers(tx, of, { now, released });
        if (number === undefined) throw unknownNumber();
        const writer = { ...bus, tx };
        await rejectPortOutsOf(writer, [before], { now, command: "number_released" });
        const nobody = { port_out_id: null, gaining_carrier: null, occurred_at: at };
        const departure = { number, ...nobody, at, actor: "desk" } as const;
        await writeOutbox(tx, [portedOutMessage(bus, departure, now)]);
        await writeAudit(tx, {
          ...byOperator(request, now),
          action: "number.released",
          accountId: account_id,
          portingOrderId: before.porting_order_id,
          before: { phone_number, status: before.status },
          after: { phone_number, status: "released", reason, note },
        });
        return account_id;
      });
      return ok(await findNumberOf(db, accountId, phone_number));
    },
  });
}

/** @throws `invalid_state` */
function refuseGone({ status, release }: PlatformNumber): void {
  if (status === "active" || status === "porting_out") return;
  const how =
    release === null ? "it was ported out" : `it was released (${release.reason}) at ${release.at}`;
  throw new AppError("invalid_state", `The number has left already: ${how}.`);
}

/** @throws `validation_failed` for a time before the number was here, or in the future */
function refuseTime(at: Date, { since, now }: { readonly since: Date; readonly now: Date }): void {
  if (at >= since && at <= now) return;
  const detail = at > now ? "It is in the future." : "The number was not here then.";
  throw new AppError("validation_failed", detail, {
    faults: [{ pointer: "#/at", code: "invalid_value", detail }],
  });
}
