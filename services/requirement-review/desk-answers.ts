import { z } from "zod";

import { commentAnswer } from "../domain/order/order-note-answer.ts";
import { platformNumberAnswer } from "../domain/number/number-answer.ts";
import { portOutAnswer } from "../domain/port-out/port-out-answer.ts";
import { orderAnswer } from "../domain/order/order-answer.ts";
import { REQUIREMENT_STATUSES } from "../domain/requirement/requirement-answer.ts";
import { idText, timeText } from "../platform/answer-fields.ts";

/** An order as the desk sees it: the customer's view, and whose and where it is. */
export const deskOrderAnswer = orderAnswer
  .extend({
    account_id: idText(),
    provider: z.string(),
    request_version: z.int().meta({ description: "How often it left for the carrier" }),
    attention: z
      .object({ reason: z.string(), raised_at: timeText() })
      .nullable()
      .meta({ description: "What only the desk can settle" }),
  })
  .meta({ id: "DeskOrder", description: "A porting order as the desk sees it" });

/** A number as the desk sees it. */
export const deskNumberAnswer = platformNumberAnswer
  .extend({ account_id: idText() })
  .meta({ id: "DeskNumber" });

/** A port-out as the desk sees it: whose it is, and who asks. */
export const deskPortOutAnswer = portOutAnswer
  .extend({ account_id: idText(), provider: z.string(), port_out_ref: z.string() })
  .meta({ id: "DeskPortOut" });

/** A case of the queue (spec/desk-api.md, GET /reviews). */
export const queuedCaseAnswer = z
  .object({
    order_id: idText(),
    account: z.object({ id: idText(), name: z.string() }),
    country_code: z.string(),
    number_type: z.string(),
    numbers_count: z.int(),
    submitted_at: timeText(),
    due_at: timeText(),
    attempt: z.int(),
    changed_slugs: z.array(z.string()),
    claimed_by: idText("The operator whose claim holds").nullable(),
  })
  .meta({ id: "QueuedCase" });

const check = z.object({
  check: z.enum(["opens", "age"]),
  state: z.enum(["none", "checking", "passed", "failed"]),
  code: z.string().nullable(),
  detail: z.string().nullable(),
});

const field = z.object({
  slug: z.string(),
  name: z.string(),
  field_type: z.enum(["document", "text", "address", "date", "choice"]),
  mandatory: z.boolean(),
  status: z.enum(REQUIREMENT_STATUSES),
  field_value: z.string().nullable(),
  document_id: idText().nullable(),
  document_date: timeText().nullable(),
  checks: z.array(check),
});

const verdict = z.object({
  slug: z.string(),
  decision: z.enum(["approve", "reject"]),
  code: z.string().nullable(),
  reason: z.string().nullable(),
  operator_id: idText(),
  at: timeText(),
});

const outcome = z.enum(["applied", "superseded"]).nullable();

const earlierCase = z.object({
  attempt: z.int(),
  state: z.enum(["open", "decided", "withdrawn"]),
  outcome,
  submitted_at: timeText(),
  decided_at: timeText().nullable(),
  decided_by: idText().nullable(),
  changed_slugs: z.array(z.string()),
  decisions: z.array(verdict),
});

const document = z.object({
  id: idText(),
  slug: z.string(),
  content_type: z.string(),
  size_bytes: z.int(),
  sha256: z.string(),
  created_at: timeText(),
});

/** An order's case (spec/desk-api.md, GET /reviews/{order_id}). */
export const caseAnswer = z
  .object({
    order_id: idText(),
    attempt: z.int(),
    state: z.enum(["open", "decided", "withdrawn"]),
    outcome,
    claimed_by: idText().nullable(),
    claimed_until: timeText().nullable(),
    submitted_at: timeText(),
    due_at: timeText(),
    changed_slugs: z.array(z.string()).meta({ description: "Rewritten since the case before" }),
    requirements: z.array(field),
    documents: z.array(document).meta({ description: "All that it was ever given" }),
    comments: z.array(commentAnswer),
    history: z.array(earlierCase),
  })
  .meta({ id: "ReviewCase" });
