import { EXCEPTION_CATALOGUE } from "../../../services/domain/order/rules/exception-catalogue.ts";
import { ATTEMPT_ERRORS } from "../../../services/domain/webhook/rules/delivery.ts";
import { PROBLEMS, type ProblemCode } from "../../../services/platform/http/problem.ts";
import { codeList, markdownTable } from "./markdown-table.ts";

/** What a client does about a problem; a code without a line is a compiler error. */
const ADVICE: Readonly<Record<ProblemCode, string>> = {
  malformed_json: "Send UTF-8 JSON, nested 32 deep at most. A bug in the client: do not retry.",
  invalid_parameter:
    "`errors[].parameter` names the query parameter: unknown, malformed, outside its range, or a cursor that is not yours.",
  invalid_header: "`errors[].header` names the header. Do not retry it as it is.",
  unauthorized:
    "The key is missing, wrong or revoked; the answer is the same for all three. Check the header, then the list of keys.",
  account_suspended: "Ask the operator of the platform. Nothing is lost meanwhile.",
  forbidden:
    "In the portal: the request did not come from our own page, or the link may not do it.",
  not_found:
    "There is no such object in your account. An object of another account looks the same, and so does a deleted draft.",
  method_not_allowed: "`Allow` lists the methods of this path.",
  not_acceptable: "Drop the `Accept` header, or accept the media type that the reference names.",
  invalid_state:
    "The object has moved on. Read it again: `status` and `next_action` say what is possible now.",
  not_ready:
    "`errors[]` names each requirement that is missing, in exception, too old or still being checked. Fill it, then submit again.",
  last_active_key: "Create another key first, then revoke this one.",
  number_in_active_order:
    "One of your orders has the number. Cancel that order, delete its draft, or leave the number out.",
  cancel_too_late: "The port is about to happen or under way. Write a comment to the desk.",
  endpoint_paused: "Set `active` to true, then retry the delivery.",
  idempotency_in_progress:
    "The first request under this key is still running. Wait a second and send the same request again.",
  claimed: "At the desk only: another operator works on the case.",
  already_decided: "At the desk only: the case has been decided.",
  quota_exceeded: "Submit or delete drafts, or ask the operator for a higher quota.",
  payload_too_large: "Send less: [limits](limits.md) lists the sizes.",
  unsupported_media_type: "Send JSON, or a multipart form where a document is expected.",
  validation_failed:
    "`errors[]` has every fault at once, each with its place (`pointer`) and a code of its own. Correct them all, then send it again.",
  webhook_url_blocked:
    "Use an HTTPS URL that keeps [the rules](webhooks.md#the-url-of-an-endpoint); `errors[]` names the one that it breaks.",
  idempotency_key_reused:
    "Another request was sent under this key within 24 hours. Use a new key for a new request.",
  rate_limited:
    "Wait as long as `Retry-After` says. `RateLimit` shows what is left on every answer.",
  internal: "Retry with the same `Idempotency-Key`. If it stays, report the `request_id`.",
  unavailable: "Wait as long as `Retry-After` says, then retry with the same `Idempotency-Key`.",
};

/** Every code of a problem, from the table that answers are made by. */
export function problemTable(): string {
  const rows = Object.entries(PROBLEMS).map(([code, { status, title }]) => [
    status,
    `\`${code}\``,
    title,
    ADVICE[code as ProblemCode],
  ]);
  return markdownTable(["Status", "Code", "Title", "What to do"], rows);
}

const OWNERS = { customer: "you", desk: "the desk", carrier: "the carrier" } as const;

/** Why carriers and the desk reject orders, from the catalogue of `GET /v2/porting_exceptions`. */
export function rejectionTable(): string {
  const rows = EXCEPTION_CATALOGUE.map(({ code, title, detail, slugs, owner }) => [
    `\`${code}\``,
    title,
    detail,
    codeList(slugs),
    OWNERS[owner],
  ]);
  return markdownTable(["Code", "Title", "Meaning", "Requirement", "Resolved by"], rows);
}

/** Why an attempt of a delivery failed. */
export function attemptErrorTable(): string {
  const rows = Object.entries(ATTEMPT_ERRORS).map(([code, text]) => [`\`${code}\``, text]);
  return markdownTable(["`error.code`", "Meaning"], rows);
}
