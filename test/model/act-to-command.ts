import type { OrderCommand } from "../../services/domain/order/rules/decide.ts";
import type { RequirementVerdict } from "../../services/domain/order/rules/decide-review.ts";
import type { RequirementContent } from "../../services/domain/requirement/rules/requirement.ts";
import { DOCUMENTS, SLUGS, type Act, type ReviewAct, type StatusUpdateAct } from "./order-acts.ts";
import { blockersOf } from "./model-fields.ts";
import type { OrderModel } from "./order-model.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const CUTOFF_MS = 48 * HOUR_MS;

/** The command of an act on the model's order; null where the act is not a command. */
export function commandOf(act: Act, model: OrderModel, now: number): OrderCommand | null {
  switch (act.act) {
    case "advance":
      return commandOf(nextAct(act.phones, model, now), model, now);
    case "wait":
    case "attention":
    case "foc_reached":
    case "overdue":
      return null;
    case "submit":
      return { command: "submit" };
    case "delete":
      return { command: "delete", by: "customer" };
    case "sign":
      return {
        command: "loa_signed",
        document_id: crypto.randomUUID(),
        sha256: "",
        signer_name: "Ada Lovelace",
        signed_at: new Date(now),
      };
    case "patch":
      return {
        command: "patch",
        patch: {
          customer_reference: "patched",
          ...(act.focDays === null ? {} : { foc_requested: dateIn(act.focDays, now) }),
          ...(act.removed.length === 0 ? {} : { remove_phone_numbers: act.removed }),
        },
      };
    case "cancel":
      return { command: "cancel", by: act.by, reason: null, cutoffMs: CUTOFF_MS };
    case "comment":
      return {
        command: "comment",
        comment: { id: crypto.randomUUID(), author_type: act.by, author_id: null, body: "…" },
      };
    case "review":
      return reviewOf(act, model);
    case "status_update":
      return statusUpdateOf(act, model, now);
    case "write":
      return { command: "requirement_changed", slug: act.slug, content: contentOf(act, now) };
    case "check":
      return {
        command: "document_checked",
        slug: act.slug,
        document_id: (act.isLatest ? model.fields[act.slug]?.document : null) ?? "another",
        passed: act.passed,
        code: act.passed ? null : "document_encrypted",
        detail: act.passed ? null : "It is encrypted.",
      };
  }
}

/** The ISO 8601 instant of midnight at +02:00, that many days ahead. */
function dateIn(days: number, now: number): string {
  const day = Math.floor(now / DAY_MS) + days;
  return new Date(day * DAY_MS).toISOString().replace("Z", "+02:00");
}

function contentOf(
  { slug, content, ageDays }: Extract<Act, { act: "write" }>,
  now: number,
): RequirementContent {
  if (content === "empty") return { kind: "empty" };
  if (!DOCUMENTS.has(slug)) return { kind: "text", shown: "Acme" };
  return {
    kind: "document",
    document_id: crypto.randomUUID(),
    document_date: new Date(now - ageDays * DAY_MS),
    check: content === "passed" ? "passed" : "checking",
  };
}

function reviewOf(act: ReviewAct, model: OrderModel): OrderCommand {
  const standing = (slug: string): string | undefined => model.fields[slug]?.status;
  const decidable = SLUGS.filter((slug) =>
    ["requirement-info-under-review", "approved"].includes(standing(slug) ?? ""),
  );
  const decisions = decidable.flatMap((slug, n): RequirementVerdict[] => {
    const decision = act.verdicts[n];
    if (decision === undefined || decision === "leave") return [];
    // What is approved is not approved again but by mistake.
    const isAgain = standing(slug) === "approved" && decision === "approve";
    if (isAgain && act.flaw !== "approved_again") return [];
    const reason = act.flaw === "no_reason" ? "" : "It is not legible.";
    const rejected = { slug, decision: "reject" as const, code: act.code, reason };
    return decision === "reject" ? [rejected] : [{ slug, decision, code: null, reason: null }];
  });
  const [first] = decisions;
  if (act.flaw === "twice" && first !== undefined) decisions.push(first);
  if (act.flaw === "unknown_slug") {
    decisions.push({ slug: "kbis", decision: "approve", code: null, reason: null });
  }
  const attempt = model.attempt - act.attemptsBack;
  return { command: "review", attempt, decisions, confirm: act.confirm };
}

function statusUpdateOf(act: StatusUpdateAct, model: OrderModel, now: number): OrderCommand {
  const phones = act.phones?.filter((phone) => phone in model.numbers) ?? null;
  return {
    command: "status_update",
    update: {
      kind: act.kind,
      raw_status: act.raw,
      request_version: Math.max(1, model.version - act.versionsBack),
      occurred_at: new Date(now - act.hoursAgo * HOUR_MS),
      foc_at: act.focDays === null ? null : dateIn(act.focDays, now),
      phone_numbers: phones === null || phones.length === 0 ? null : phones,
      slug: null,
      code: act.code,
      text: act.text,
      comment: act.hasComment ? { id: crypto.randomUUID(), body: "…" } : null,
      reason_comment_id: crypto.randomUUID(),
    },
  };
}

const STATUS_UPDATE: StatusUpdateAct = {
  act: "status_update",
  kind: null,
  raw: "RCVD",
  versionsBack: 0,
  hoursAgo: 0,
  focDays: null,
  phones: null,
  code: null,
  text: null,
  hasComment: false,
};

/** The act that moves the order on from its status. */
function nextAct(phones: readonly string[] | null, model: OrderModel, now: number): Act {
  switch (model.status) {
    case "draft":
    case "rejection":
      return nextFix(model, now);
    case "in_review": {
      const verdicts = SLUGS.map(() => "approve" as const);
      return { act: "review", verdicts, confirm: true, attemptsBack: 0, flaw: null, code: null };
    }
    case "submitted":
      return { ...STATUS_UPDATE, kind: "acknowledged" };
    case "in_process":
      return { ...STATUS_UPDATE, kind: "date_confirmed", focDays: 5 };
    case "foc_scheduled":
      return { ...STATUS_UPDATE, kind: "activating" };
    case "activating":
      return { ...STATUS_UPDATE, kind: "number_active", phones };
    case "cancel_pending":
      if (phones === null) return { ...STATUS_UPDATE, kind: "cancel_refused" };
      if (phones.length > 1) return { ...STATUS_UPDATE, kind: "date_moved", focDays: 9 };
      return { ...STATUS_UPDATE, kind: "acknowledged" };
    default:
      return { ...STATUS_UPDATE, kind: "number_active", phones };
  }
}

function nextFix(model: OrderModel, now: number): Act {
  const [slug] = blockersOf(model, now);
  if (slug === undefined) return { act: "submit" };
  if (model.fields[slug]?.check === "checking") {
    return { act: "check", slug, passed: true, isLatest: true };
  }
  return { act: "write", slug, content: "value", ageDays: 0 };
}
