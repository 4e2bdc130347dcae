import { describe, expect, it } from "@jest/globals";
import { composeMail, type MailedNotice } from "./compose-mail.ts";

const links = { api: "https://api.example.com", desk: "https://desk.example.com" };
const CUSTOMER = `-- 
This address gets the notices of your account with the number porting service. Whoever runs the service can change or end that.
`;
const DESK = `-- 
This address gets the notices of the number porting desk (DESK_NOTICE_EMAILS).
`;
const ORDER = { order_id: "ORDER", numbers: 3, last_digits: "23", reference: "Case 12" };

const toCustomer = (...notices: MailedNotice[]) =>
  composeMail(notices, notices.length, { links, isDesk: false });

describe("a mail about one notice", () => {
  it("fix_needed", () => {
    expect(toCustomer({ kind: "fix_needed", facts: ORDER })).toEqual({
      subject: "A porting order needs a correction (number ending in 23)",
      text: `Porting order ORDER (“Case 12”, 3 numbers, the first ending in 23) was rejected. Correct what was found wrong, and submit it again.
https://api.example.com/portal/orders/ORDER

${CUSTOMER}`,
    });
  });

  it("date_confirmed", () => {
    const facts = { ...ORDER, date: "2026-11-12T10:00:00-05:00" };
    expect(toCustomer({ kind: "date_confirmed", facts })).toEqual({
      subject: "A port date is confirmed (number ending in 23)",
      text: `Porting order ORDER (“Case 12”, 3 numbers, the first ending in 23) is confirmed for 2026-11-12 10:00 -05:00.
https://api.example.com/portal/orders/ORDER

${CUSTOMER}`,
    });
    const early = { ...facts, requested_date: "2026-11-20T10:00:00-05:00" };
    expect(toCustomer({ kind: "date_confirmed", facts: early }).text).toContain(
      "is confirmed for 2026-11-12 10:00 -05:00. You asked for 2026-11-20 10:00 -05:00: confirm the earlier date, or ask the carrier for another one.\n",
    );
  });

  it("numbers_live", () => {
    const facts = { order_id: "ORDER", numbers: 1, last_digits: "23" };
    expect(toCustomer({ kind: "numbers_live", facts })).toEqual({
      subject: "Numbers are live (number ending in 23)",
      text: `Porting order ORDER (the number ending in 23) is completed: its numbers are live.
https://api.example.com/portal/orders/ORDER

${CUSTOMER}`,
    });
    expect(toCustomer({ kind: "numbers_live", facts: { ...facts, partly: true } }).text).toContain(
      "has ended: some of its numbers are live, and others could not be moved.",
    );
  });

  it("port_out_decision", () => {
    const facts = {
      port_out_id: "PORT-OUT",
      numbers: 2,
      last_digits: "23",
      date: "2026-11-03T09:00:00.007Z",
    };
    expect(toCustomer({ kind: "port_out_decision", facts })).toEqual({
      subject: "A port-out needs your decision (number ending in 23)",
      text: `Another carrier asks for 2 numbers, the first ending in 23, of yours (port-out PORT-OUT). Approve or reject it by 2026-11-03 09:00 UTC; after that it proceeds without you.
https://api.example.com/docs/guides/port-outs

${CUSTOMER}`,
    });
  });

  it("endpoint_paused", () => {
    const facts = { endpoint_id: "ENDPOINT", host: "hooks.example.com" };
    expect(toCustomer({ kind: "endpoint_paused", facts })).toEqual({
      subject: "A webhook endpoint was paused",
      text: `Your webhook endpoint at hooks.example.com has failed for days and was paused: it gets no events until it is made active again.
https://api.example.com/portal/endpoints/ENDPOINT

${CUSTOMER}`,
    });
  });

  it("review_overdue and carrier_silent, in one mail to the desk", () => {
    const notices: MailedNotice[] = [
      { kind: "review_overdue", facts: { order_id: "ORDER" } },
      { kind: "carrier_silent", facts: { order_id: "OTHER", reason: "The carrier is silent." } },
    ];
    expect(composeMail(notices, 2, { links, isDesk: true })).toEqual({
      subject: "2 notices of number porting",
      text: `The review of order ORDER is past its due time.
https://desk.example.com/reviews/ORDER

Order OTHER: The carrier is silent.
https://desk.example.com/orders/OTHER

${DESK}`,
    });
    const [overdue, silent] = notices.map((notice) =>
      composeMail([notice], 1, { links, isDesk: true }),
    );
    expect([overdue?.subject, silent?.subject]).toEqual([
      "A review is overdue",
      "A carrier does not answer",
    ]);
  });
});

describe("a mail about more notices than it names", () => {
  it("counts the rest", () => {
    const { subject, text } = composeMail([{ kind: "fix_needed", facts: ORDER }], 1_000, {
      links,
      isDesk: false,
    });
    expect(subject).toBe("1000 notices of number porting");
    expect(text).toContain("And 999 more:\nhttps://api.example.com/portal/orders\n");
  });
});
