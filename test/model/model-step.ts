import type { OrderCommand } from "../../services/domain/order/rules/decide.ts";
import { isSoundDecision, isStale } from "./model-fields.ts";
import type { OrderModel } from "./order-model.ts";

type Writing = Extract<OrderCommand, { command: "requirement_changed" }>;

/** Applies a command to the model; returns the refusal's code, or null where it is allowed. */
export function stepModel(model: OrderModel, command: OrderCommand, now: number): string | null {
  model.emitted = [];
  switch (command.command) {
    case "submit":
      return model.submit(now);
    case "resubmit":
    case "hand_over":
    case "split":
    case "ask_for_change":
    case "withdraw_change":
    case "date_confirmation":
    case "several":
      throw new Error(
        "The model has no commands of the desk on its own exceptions, no changes, and not several at once.",
      );
    case "delete":
      return model.remove(command.by);
    case "patch": {
      const { foc_requested, remove_phone_numbers: removed = [] } = command.patch;
      return model.patch(foc_requested !== undefined || removed.length > 0, removed);
    }
    case "cancel":
      return model.askCancel(command.by, now, command.cutoffMs);
    case "comment":
      model.comment(command.comment.author_type);
      return null;
    case "review":
      return model.review(command.attempt, verdictsOf(command), command.confirm);
    case "status_update":
      applyUpdate(model, command.update);
      return null;
    case "foc_reached":
      return null;
    case "draft_expiry":
      return model.remove("expiry");
    case "rejection_expiry":
      return model.askCancel("expiry", now, 0);
    case "foc_grace":
    case "carrier_silence":
      model.attention = true;
      return null;
    case "requirement_changed":
      return write(model, command, now);
    case "loa_signed":
      return sign(model, command);
    case "document_checked": {
      const field = model.fields[command.slug];
      // A scanner that answers late fails a document that had passed, as long as no carrier has it.
      const isHere = ["draft", "rejection", "in_review"].includes(model.status);
      const isLate = field?.check === "passed" && !command.passed && isHere;
      if (field?.document !== command.document_id) return null;
      if (field.check === "checking" || isLate) {
        field.check = command.passed ? "passed" : "failed";
      }
      return null;
    }
  }
}

function verdictsOf({ decisions }: Extract<OrderCommand, { command: "review" }>) {
  return decisions.map(({ slug, decision, code, reason }) => ({
    slug,
    approves: decision === "approve",
    code,
    reason,
  }));
}

/** Whether the desk accepts the decision; a decision that it refuses never reaches the order. */
export function isAcceptedByDesk(
  model: OrderModel,
  command: Extract<OrderCommand, { command: "review" }>,
): boolean {
  const { confirm } = command;
  return isSoundDecision(model.fields, { verdicts: verdictsOf(command), confirm });
}

function applyUpdate(
  model: OrderModel,
  update: Extract<OrderCommand, { command: "status_update" }>["update"],
): void {
  model.applyUpdate({
    kind: update.kind,
    raw: update.raw_status,
    version: update.request_version,
    at: update.occurred_at.getTime(),
    foc: update.foc_at === null ? null : Date.parse(update.foc_at),
    numbers: update.phone_numbers,
    code: update.code,
    text: update.text,
    hasComment: update.comment !== null,
  });
}

function write(model: OrderModel, { slug, content }: Writing, now: number): string | null {
  const field = model.fields[slug];
  if (!model.isCustomers || field === undefined) return "invalid_state";
  if (content.kind === "empty" && field.mandatory) return "invalid_state";
  const document = content.kind === "document" ? content : null;
  const dated = document?.document_date.getTime() ?? null;
  if (isStale({ ...field, dated }, now)) return "validation_failed";
  field.status = "requirement-info-pending";
  field.reason = null;
  field.hasValue = content.kind !== "empty";
  field.check = document?.check ?? "none";
  field.document = document?.document_id ?? null;
  field.dated = dated;
  return null;
}

/** The LOA states every mandatory text; a signed one is a document that has passed its checks. */
function sign(
  model: OrderModel,
  { document_id, signed_at }: Extract<OrderCommand, { command: "loa_signed" }>,
): string | null {
  if (!model.isCustomers) return "invalid_state";
  const { entity_name: name } = model.fields;
  if (name?.hasValue === false) return "not_ready";
  model.emitted = ["loa.signed"];
  const content = {
    kind: "document",
    document_id,
    document_date: signed_at,
    check: "passed",
  } as const;
  const written = { command: "requirement_changed", slug: "loa", content } as const;
  return write(model, written, signed_at.getTime());
}
