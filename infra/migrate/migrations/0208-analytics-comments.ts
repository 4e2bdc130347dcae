interface ViewComment {
  readonly about: string;
  readonly columns: Readonly<Record<string, string>>;
}

const ACCOUNT = "Account that it belongs to.";
const COUNTRY = "Two-letter country code (ISO 3166-1 alpha-2) of the numbers.";
const NUMBER_TYPE = "local, mobile, toll_free, national or shared_cost.";

/** What `comment on` says of each view and column of the schema `analytics`. */
export const VIEW_COMMENTS: Readonly<Record<string, ViewComment>> = {
  orders: {
    about: "One row per porting order, drafts and deleted drafts included.",
    columns: {
      order_id: "Id of the order, a UUIDv7.",
      account_id: ACCOUNT,
      batch_id: "Shared by the orders that came from one request.",
      status: "Canonical status, such as draft, in_review, completed or cancelled.",
      closed_by:
        "Who ended a cancelled order: customer, provider or ops; null while it is not cancelled.",
      provider: "Provider through which the losing carrier is asked.",
      losing_carrier:
        "Carrier that has the numbers when the order is created; null where it is unknown.",
      country_code: COUNTRY,
      number_type: NUMBER_TYPE,
      created_at: "When the order was created.",
      submitted_at: "When it was first submitted; null if it never was.",
      ended_at: "When it was completed, partly completed or cancelled; null while it is open.",
      deleted_at: "When a draft was deleted, by the customer or by expiry; null otherwise.",
      foc_requested: "Port date that the customer asked for; null where none was.",
      foc_actual: "Port date that the carrier confirmed last; null where none is.",
      foc_day: "Day of foc_actual at the UTC offset with which the carrier sent it.",
      activated_day:
        "Day of activated_at at that same offset; in UTC where there is no foc_actual.",
      activated_at: "When the last number of the order became active; null if none did.",
      desk_cases:
        "Cases that were opened at the desk: submissions, and reviews resumed after a refused cancellation.",
      carrier_requests:
        "How often the order was sent to the carrier, as a submit or supplement; 0 means never.",
      numbers: "Numbers of the order.",
      active_numbers: "Numbers of the order that became active.",
      failed_numbers: "Numbers of the order that failed.",
    },
  },
  order_steps: {
    about:
      "One row per status that an order entered, its creation included, with how long it stayed.",
    columns: {
      step_id: "Id of the step.",
      order_id: "Order that moved.",
      account_id: ACCOUNT,
      from_status: "Status before; null at the creation.",
      to_status: "Status that it entered; the same as before where the carrier moved the date.",
      actor: "Who moved it: customer, desk, carrier or system.",
      entered_at: "When it entered the status.",
      left_at: "When it took its next step; null while this is its last.",
      seconds: "Seconds from entered_at to left_at; null while this is its last step.",
    },
  },
  rejections: {
    about:
      "One row per reason for which the desk or a carrier rejected or refused an order. Rejections before version 0.2 are not in it.",
    columns: {
      event_id: "Id of the event that told it, a UUIDv7.",
      order_id: "Order that was rejected.",
      account_id: ACCOUNT,
      rejected_at: "When it was rejected here.",
      occurred_at: "When the carrier says that it rejected it; null for the desk.",
      raised_by: "desk or carrier.",
      code: "Canonical code, such as account_number_mismatch; other where none was given.",
      slug: "Requirement to correct; null where the reason concerns none.",
      text: "The reason in words, each word that has a digit replaced; null for a sensitive requirement.",
      is_final:
        "True where it ended the order or some of its numbers; false where the customer could correct it.",
      provider: "Provider of the order.",
      losing_carrier: "Losing carrier of the order; null where it is unknown.",
      country_code: COUNTRY,
      number_type: NUMBER_TYPE,
    },
  },
  port_outs: {
    about: "One row per port-out: another carrier's request for numbers of one account.",
    columns: {
      port_out_id: "Id of the port-out, a UUIDv7.",
      account_id: "Account that has the numbers.",
      provider: "Provider that asked.",
      gaining_carrier: "Carrier that the numbers move to.",
      status: "requested, decision_required, approved, rejected, expired, cancelled or ported_out.",
      created_at: "When the request arrived.",
      updated_at: "When it last changed.",
      requested_foc: "Port date that the gaining carrier asked for.",
      foc_actual: "Port date that the gaining carrier confirmed; null where none is.",
      decision_deadline: "When it proceeds without a decision; null if none is awaited.",
      decided_by: "customer, ops, or system where the checks rejected it; null without a decision.",
      decided_at: "When it was decided; null without a decision.",
      rejection_code: "Why it was rejected, such as pin_invalid; null if it was not.",
      numbers: "Numbers of the request.",
      left_numbers: "Numbers that have left.",
      ported_out_at: "When the last of them left; null if none did.",
    },
  },
  numbers: {
    about:
      "One row per number and account that has or had it. A number is live unless its status is ported_out.",
    columns: {
      phone_number: "The number, in E.164.",
      account_id: "Account that has or had it.",
      status: "active, porting_out or ported_out.",
      country_code: COUNTRY,
      number_type: NUMBER_TYPE,
      provider: "Provider that hosts it.",
      order_id: "Order that brought it in last; null where there is none.",
      activated_at: "When it last became active.",
      left_at: "When it left the account; null while the account has it.",
      is_forwarded: "Whether its calls are forwarded; where to is not shown.",
      port_out_lock: "Whether the customer locked it against port-outs.",
    },
  },
  calls: {
    about:
      "One row per report on a call of a number; a call that is forwarded and then completed has two. Callers are not shown.",
    columns: {
      event_id: "Id of the event, a UUIDv7.",
      account_id: "Account that had the number at the time of the call.",
      order_id: "Order that brought the number in; null where there is none.",
      phone_number: "The number that was called, in E.164.",
      call_id: "Id of the call at its provider; the reports on one call share it.",
      provider: "Provider that reported it; null before version 0.2.",
      kind: "forwarded, completed or missed.",
      told_at: "When the report was published here.",
      occurred_at: "When it happened, as reported.",
      duration_seconds: "Length of a completed call, in seconds; null otherwise.",
      ended_by: "Who ended a completed call: caller, callee, platform or carrier; null otherwise.",
      missed_reason: "Why it was missed, such as no_answer; null otherwise.",
      forwarded_by: "platform or carrier; null unless forwarded.",
      stage: "primary or fallback; null unless forwarded.",
    },
  },
  webhook_deliveries: {
    about:
      "One row per event and receiver: what became of the delivery. URLs, bodies and secrets are not shown.",
    columns: {
      delivery_id: "Id of the delivery, a UUIDv7.",
      account_id: ACCOUNT,
      endpoint_id: "Endpoint; null where it went to an order's own webhook_url.",
      event_id: "Event that was delivered.",
      event_type: "Type of the event, such as porting_order.created.",
      order_id: "Order of the event; null where there is none.",
      host: "Host name of the receiver.",
      trigger: "Why it was sent: event, republish, recover or test.",
      status: "pending, retrying, succeeded, failed, skipped or cancelled.",
      attempts: "HTTP attempts so far.",
      event_at: "When the event was created.",
      created_at: "When the delivery was caused: by the event, or by the republish or recovery.",
      next_attempt_at: "When the next attempt is due; null where none is.",
      completed_at: "When it succeeded or ended; null before.",
      seconds: "Seconds from created_at to completed_at; null before.",
      last_response_code: "HTTP status of the last attempt; null without a response.",
      last_error_code: "Why the last attempt failed, such as timeout_response; null if it did not.",
    },
  },
};
