import type { NoticeKind } from "../../domain/notice/rules/notice-kinds.ts";
import type { NoticeFacts } from "./notice-of-event.ts";

/** Where links lead, without a slash at the end. */
export interface NoticeLinks {
  readonly api: string;
  readonly desk: string;
}

export interface MailedNotice {
  readonly kind: NoticeKind;
  readonly facts: NoticeFacts;
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

interface Wording {
  /** Fixed words and two digits: nothing of it can begin another header. */
  readonly subject: (facts: NoticeFacts) => string;
  readonly says: (facts: NoticeFacts) => string;
  readonly link: (facts: NoticeFacts, links: NoticeLinks) => string;
}

const orderInPortal = ({ order_id: id }: NoticeFacts, { api }: NoticeLinks): string =>
  `${api}/portal/orders/${id ?? ""}`;

const WORDINGS: Readonly<Record<NoticeKind, Wording>> = {
  fix_needed: {
    subject: (facts) => `A porting order needs a correction${ending(facts)}`,
    says: (facts) =>
      `${orderOf(facts)} was rejected. Correct what was found wrong, and submit it again.`,
    link: orderInPortal,
  },
  date_confirmed: {
    subject: (facts) => `A port date is confirmed${ending(facts)}`,
    says: (facts) => `${orderOf(facts)} is confirmed for ${timeOf(facts.date)}.${earlyText(facts)}`,
    link: orderInPortal,
  },
  numbers_live: {
    subject: (facts) => `Numbers are live${ending(facts)}`,
    says: (facts) =>
      facts.partly === true
        ? `${orderOf(facts)} has ended: some of its numbers are live, and others could not be moved.`
        : `${orderOf(facts)} is completed: its numbers are live.`,
    link: orderInPortal,
  },
  port_out_decision: {
    subject: (facts) => `A port-out needs your decision${ending(facts)}`,
    says: (facts) =>
      `Another carrier asks for ${numbersOf(facts)} of yours (port-out ${facts.port_out_id ?? ""}). Approve or reject it by ${timeOf(facts.date)}; after that it proceeds without you.`,
    link: (_facts, { api }) => `${api}/docs/guides/port-outs`,
  },
  endpoint_paused: {
    subject: () => "A webhook endpoint was paused",
    says: ({ host }) =>
      `Your webhook endpoint at ${host ?? "an unknown host"} has failed for days and was paused: it gets no events until it is made active again.`,
    link: ({ endpoint_id: id }, { api }) => `${api}/portal/endpoints/${id ?? ""}`,
  },
  review_overdue: {
    subject: () => "A review is overdue",
    says: ({ order_id: id }) => `The review of order ${id ?? ""} is past its due time.`,
    link: ({ order_id: id }, { desk }) => `${desk}/reviews/${id ?? ""}`,
  },
  carrier_silent: {
    subject: () => "A carrier does not answer",
    says: ({ order_id: id, reason }) => `Order ${id ?? ""}: ${reason ?? ""}`,
    link: ({ order_id: id }, { desk }) => `${desk}/orders/${id ?? ""}`,
  },
};

function ending({ last_digits: digits = "" }: NoticeFacts): string {
  return digits === "" ? "" : ` (number ending in ${digits})`;
}

function numbersOf({ numbers = 0, last_digits: digits = "" }: NoticeFacts): string {
  return numbers === 1
    ? `the number ending in ${digits}`
    : `${numbers} numbers, the first ending in ${digits},`;
}

function orderOf(facts: NoticeFacts): string {
  const { order_id: id = "", reference } = facts;
  const details = [numbersOf(facts).replace(/,$/, "")];
  if (reference !== undefined) details.unshift(`“${reference}”`);
  return `Porting order ${id} (${details.join(", ")})`;
}

function earlyText({ requested_date: wanted }: NoticeFacts): string {
  if (wanted === undefined) return "";
  return ` You asked for ${timeOf(wanted)}: confirm the earlier date, or ask the carrier for another one.`;
}

/** `2026-12-01T10:00:00.000-05:00` → `2026-12-01 10:00 -05:00`. */
function timeOf(date: string | undefined): string {
  const parts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[^Z+-]*(Z|[+-].*)$/.exec(date ?? "");
  if (parts === null) return date ?? "a date that is not known yet";
  const [, day = "", time = "", offset = ""] = parts;
  return `${day} ${time} ${offset === "Z" ? "UTC" : offset}`;
}

const WHY_CUSTOMER =
  "This address gets the notices of your account with the number porting service. Whoever runs the service can change or end that.";
const WHY_DESK = "This address gets the notices of the number porting desk (DESK_NOTICE_EMAILS).";

/** One mail about the notices; `total` counts also those that are not named in it. */
export function composeMail(
  notices: readonly MailedNotice[],
  total: number,
  { links, isDesk }: { readonly links: NoticeLinks; readonly isDesk: boolean },
): MailText {
  const [first] = notices;
  if (first === undefined) throw new TypeError("a mail is about one notice at least");
  const subject =
    total === 1 ? WORDINGS[first.kind].subject(first.facts) : `${total} notices of number porting`;
  const paragraphs = notices.map(({ kind, facts }) => {
    const { says, link } = WORDINGS[kind];
    return `${says(facts)}\n${link(facts, links)}`;
  });
  if (total > notices.length) {
    const rest = isDesk ? `${links.desk}/orders` : `${links.api}/portal/orders`;
    paragraphs.push(`And ${total - notices.length} more:\n${rest}`);
  }
  const text = [...paragraphs, `-- \n${isDesk ? WHY_DESK : WHY_CUSTOMER}`].join("\n\n");
  return { subject, text: `${text}\n` };
}
