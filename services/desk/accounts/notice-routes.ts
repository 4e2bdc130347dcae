import { z } from "zod";
import { writeAudit } from "../../domain/account/store/audit-log.ts";
import {
  CUSTOMER_NOTICES,
  mailAddress,
  MAX_NOTICE_EMAILS,
  type CustomerNotice,
} from "../../domain/notice/rules/notice-kinds.ts";
import {
  lockNoticeSettings,
  readNoticeSettings,
  writeNoticeSettings,
  type NoticeSettings,
} from "../../domain/notice/store/notice-settings.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { admin, byOperator, viewer, type DeskPath, type DeskRoute } from "../access/desk-routes.ts";
import { noticeKinds, noticeSettingsAnswer } from "./answers.ts";

const PATH = "/desk/v1/accounts/:id/notice_settings";

const emails = z
  .array(mailAddress())
  .max(MAX_NOTICE_EMAILS)
  .transform((given) => [...new Set(given)])
  .meta({
    description: `Who gets the account's notices by mail, ${MAX_NOTICE_EMAILS} at most; empty: nobody`,
    examples: [["porting@example.com"]],
  });

interface NoticeDeps {
  readonly bus: Pick<RouteBus, "clock">;
}

/** `/desk/v1/accounts/{id}/notice_settings`: addresses are an operator's to set, so that nobody can have mail sent to strangers. */
export function noticeSettingsRoutes({ bus: { clock } }: NoticeDeps): DeskRoute[] {
  return [
    viewer.GET(PATH, "Read who gets an account's notices by mail", {
      description: "Mails are sent where `SMTP_URL` is set (docs/operations.md, Notices by mail).",
      answers: { 200: noticeSettingsAnswer },
      find: settingsOf,
      handle: async (request) => ok(present(await settingsOf(request))),
    }),
    admin.PATCH(PATH, "Change who gets an account's notices by mail, and which", {
      description:
        "Enter an address only for a customer who asked for it: the service does not verify it. Absent fields keep their values.",
      answers: { 200: noticeSettingsAnswer },
      find: settingsOf,
      body: z.strictObject({
        emails: emails.optional(),
        kinds: noticeKinds.partial().optional().describe("False switches a kind off"),
      }),
      handle: async (request) => {
        const { body, params } = request;
        const after = await inTransaction(request.db, async (tx) => {
          const before = required(await lockNoticeSettings(tx, params.id));
          const changed = changedBy(before, body);
          await writeNoticeSettings(tx, params.id, changed);
          await writeAudit(tx, {
            ...byOperator(request, clock.now()),
            action: "account.notices_changed",
            accountId: params.id,
            before: { ...before },
            after: { ...changed },
          });
          return changed;
        });
        return ok(present(after));
      },
    }),
  ];
}

async function settingsOf({
  db,
  params: { id },
}: Pick<DeskPath, "db" | "params">): Promise<NoticeSettings> {
  return required(await readNoticeSettings(db, id));
}

/** @throws `not_found` */
function required(settings: NoticeSettings | null): NoticeSettings {
  if (settings === null) throw new AppError("not_found", "There is no such account.");
  return settings;
}

interface Changes {
  readonly emails?: readonly string[] | undefined;
  readonly kinds?: Partial<Readonly<Record<CustomerNotice, boolean | undefined>>> | undefined;
}

function changedBy(before: NoticeSettings, { emails: given, kinds = {} }: Changes): NoticeSettings {
  const isOff = (kind: CustomerNotice): boolean => {
    const isOn = kinds[kind];
    return isOn === undefined ? before.kinds_off.includes(kind) : !isOn;
  };
  return { emails: given ?? before.emails, kinds_off: CUSTOMER_NOTICES.filter(isOff) };
}

function present({ emails: addresses, kinds_off: off }: NoticeSettings) {
  const isOn = (kind: CustomerNotice): boolean => !off.includes(kind);
  return {
    emails: addresses,
    kinds: {
      fix_needed: isOn("fix_needed"),
      date_confirmed: isOn("date_confirmed"),
      numbers_live: isOn("numbers_live"),
      port_out_decision: isOn("port_out_decision"),
      endpoint_paused: isOn("endpoint_paused"),
    },
  };
}
