import { z } from "zod";
import { commentAnswer } from "../../domain/order/answers/order-note-answer.ts";
import { REQUIREMENT_STATUSES } from "../../domain/requirement/answers/requirement-answer.ts";
import { hashText, idText, timeText } from "../../platform/http/routing/answer-fields.ts";

const slug = z.string().meta({ examples: ["loa"] });

/** A case of the queue (docs/contract/desk-api.md, GET /reviews). */
export const queuedCaseAnswer = z
  .object({
    order_id: idText(),
    account: z.object({ id: idText(), name: z.string().meta({ examples: ["Acme"] }) }),
    country_code: z.string().meta({ examples: ["US"] }),
    number_type: z.string().meta({ examples: ["local"] }),
    numbers_count: z.int(),
    submitted_at: timeText(),
    due_at: timeText(),
    attempt: z.int(),
    changed_slugs: z.array(slug),
    claimed_by: idText("The operator who has claimed the case").nullable(),
  })
  .meta({ id: "QueuedCase" });

const check = z.object({
  check: z.enum(["opens", "age"]),
  state: z.enum(["none", "checking", "passed", "failed"]),
  code: z.string().nullable(),
  detail: z.string().nullable(),
});

const field = z.object({
  slug,
  name: z.string().meta({ examples: ["Letter of authorization"] }),
  field_type: z.enum(["document", "text", "address", "date", "choice"]),
  mandatory: z.boolean(),
  status: z.enum(REQUIREMENT_STATUSES),
  field_value: z.string().nullable(),
  document_id: idText().nullable(),
  document_date: timeText().nullable(),
  checks: z.array(check),
});

const verdict = z.object({
  slug,
  decision: z.enum(["approve", "reject"]),
  code: z.string().nullable(),
  reason: z.string().nullable(),
  operator_id: idText(),
  at: timeText(),
});

const outcome = z.enum(["applied", "superseded"]).nullable();

const earlierCase = z.object({
  attempt: z.int(),
  state: z.enum(["open", "decided", "withdrawn"]).meta({ examples: ["decided"] }),
  outcome,
  submitted_at: timeText(),
  decided_at: timeText()
    .nullable()
    .meta({ examples: ["2026-03-02T14:10:00.000Z"] }),
  decided_by: idText().nullable(),
  changed_slugs: z.array(slug),
  decisions: z.array(verdict),
});

const document = z.object({
  id: idText(),
  slug,
  content_type: z.string().meta({ examples: ["application/pdf"] }),
  size_bytes: z.int().meta({ examples: [48_213] }),
  sha256: hashText(),
  created_at: timeText(),
});

/** An order's case (docs/contract/desk-api.md, GET /reviews/{order_id}). */
export const caseAnswer = z
  .object({
    order_id: idText(),
    attempt: z.int(),
    state: z.enum(["open", "decided", "withdrawn"]),
    outcome,
    claimed_by: idText().nullable(),
    claimed_until: timeText()
      .nullable()
      .meta({ examples: ["2026-03-02T14:15:00.000Z"] }),
    submitted_at: timeText(),
    due_at: timeText(),
    changed_slugs: z
      .array(slug)
      .meta({ description: "Requirements that changed since the previous case" }),
    requirements: z.array(field),
    documents: z.array(document).meta({ description: "All documents ever given to the order" }),
    comments: z.array(commentAnswer),
    history: z.array(earlierCase),
  })
  .meta({ id: "ReviewCase" });
