/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { newEvent } from "../../../services/domain/event/rules/new-event.ts";
import { writeNoticeSettings } from "../../../services/domain/notice/store/notice-settings.ts";
import type { CustomerNotice } from "../../../services/domain/notice/rules/notice-kinds.ts";
import type { PortingEvent } from "../../../services/messages/generated/porting-event.ts";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { newId } from "../../../services/platform/ids.ts";
import { eventually } from "../../support/eventually.ts";
import { startMailCatcher, type MailCatcher } from "../../support/net/mail-catcher.ts";
import { buildEvent, freshEvent, payloadOf } from "../../support/orders/event-factory.ts";
import { storeOrder } from "../../support/orders/store-order.ts";
import { killSender, spawnSender } from "../../support/webhooks/sender-process.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";
import { openWebhookStack, type WebhookStack } from "../../support/webhooks/webhook-stack.ts";

let stack: WebhookStack;
let accounts = 0;

beforeAll(async () => {
  stack = await openWebhookStack({ retrySchedule: "1s" });
});

/** An account with an address of its own. */
async function newReader(kinds_off: readonly CustomerNotice[] = []) {
  accounts += 1;
  const email = `reader-${accounts}@example.com`;
  const account = await stack.newAccount();
  await writeNoticeSettings(stack.pool, account, { emails: [email], kinds_off });
  return { account, email };
}

function moved(account: string, new_status: string): PortingEvent {
  const created_at = new Date();
  const id = newId(created_at);
  const order_id = newId(created_at);
  const { porting_order } = payloadOf("porting_order.status_changed");
  const payload = {
    porting_order: { ...porting_order, id: order_id, status: new_status },
    previous_status: "in_process",
    new_status,
  };
  const subject = { account_id: account, order_id, sequence_key: order_id, order_sequence: 1 };
  const envelope = { id, ...subject, created_at, context: null };
  return newEvent("porting_order.status_changed", payload, envelope);
}

function portOutToDecide(account: string): PortingEvent {
  const created_at = new Date();
  const { port_out } = payloadOf("port_out.created");
  const own = { ...port_out, id: newId(created_at) };
  const subject = { account_id: account, order_id: null, sequence_key: own.id, order_sequence: 1 };
  return newEvent(
    "port_out.status_changed",
    { port_out: own, previous_status: "requested", new_status: "decision_required" },
    { id: newId(created_at), ...subject, created_at, context: null },
  );
}

const settings = ({ url }: Pick<MailCatcher, "url">, interval = "0s") => ({
  SMTP_URL: url,
  SMTP_FROM: "notices@example.com",
  NOTICE_INTERVAL: interval,
  PUBLIC_API_URL: "https://api.example.com",
});

const mailsTo = ({ mails }: MailCatcher, email: string) =>
  mails.filter(({ to }) => to.includes(email));

interface NoticeState {
  readonly kind: string;
  readonly attempts: number;
  readonly mail_id: string | null;
  readonly is_sent: boolean;
}

const noticesTo = (email: string): Promise<NoticeState[]> =>
  queryRows<NoticeState>(stack.pool, {
    text: `select kind, attempts, mail_id, sent_at is not null as is_sent from webhooks.notices
      where recipient = $1 order by created_at, key`,
    values: [email],
  });

/** A killed sender's lease, a retry and the interval are waits that a test does not sit out. */
const makeDue = (email: string): Promise<unknown> =>
  queryRows(stack.pool, {
    text: "update webhooks.notices set next_attempt_at = now() where recipient = $1 and next_attempt_at is not null",
    values: [email],
  });

const whenSent = (email: string, count: number): Promise<void> =>
  eventually(async () => {
    const states = (await noticesTo(email)).map(({ is_sent }) => is_sent);
    expect(states).toEqual(Array<boolean>(count).fill(true));
  });

describe("notices by mail", () => {
  it("are sent once for each kind, though their event comes again", async () => {
    const catcher = await startMailCatcher();
    const { account, email } = await newReader();
    const sender = await stack.startSender(settings(catcher));
    const expected: [PortingEvent, string][] = [
      [moved(account, "rejection"), "A porting order needs a correction (number ending in 23)"],
      [moved(account, "foc_scheduled"), "A port date is confirmed (number ending in 23)"],
      [moved(account, "completed"), "Numbers are live (number ending in 23)"],
      [portOutToDecide(account), "A port-out needs your decision (number ending in 23)"],
    ];
    for (const [n, [event, subject]] of expected.entries()) {
      await stack.publish([event, event]);
      await whenSent(email, n + 1);
      const mails = mailsTo(catcher, email);
      expect(mails).toHaveLength(n + 1);
      expect(mails[n]).toMatchObject({
        subject,
        messageId: expect.stringMatching(/^<[0-9a-f-]{36}@example\.com>$/),
      });
    }
    const raw = catcher.mails.map((mail) => mail.raw).join();
    expect(raw).not.toContain("2125550123");
    expect(raw).toContain("Auto-Submitted: auto-generated");
    await sender.stop();
  });

  it("are sent of an endpoint that was paused, and to the desk of what is overdue", async () => {
    const catcher = await startMailCatcher();
    const { account, email } = await newReader();
    const { id: endpoint } = await stack.newEndpoint(account, "https://hooks.example.com/secret");
    const order = await storeOrder(stack.pool);
    await queryRows(stack.pool, {
      text: `with since as (update webhooks.endpoints set created_at = now() - interval '9 days' where id = $1)
        insert into webhooks.endpoint_health (endpoint_id, failed_deliveries, first_failed_at, last_failed_at)
        values ($1, 100, now() - interval '8 days', now())`,
      values: [endpoint],
    });
    await queryRows(stack.pool, {
      text: `insert into reviews.cases (order_id, attempt, account_id, state, submitted_at, due_at)
        values ($1, 1, $1, 'open', now() - interval '2 hours', now() - interval '1 hour')`,
      values: [order],
    });
    await queryRows(stack.pool, {
      text: `update orders.porting_orders set attention = jsonb_build_object('reason', 'No answer.', 'raised_at', now())
        where id = $1`,
      values: [order],
    });
    const desk = "desk@example.com";
    const sender = await stack.startSender({ ...settings(catcher), DESK_NOTICE_EMAILS: desk });
    await whenSent(email, 1);
    await whenSent(desk, 2);
    const [paused] = mailsTo(catcher, email);
    expect(paused?.subject).toBe("A webhook endpoint was paused");
    expect(paused?.raw).toContain("hooks.example.com has failed");
    expect(paused?.raw).not.toContain("/secret");
    const [overdue] = mailsTo(catcher, desk);
    expect(overdue?.subject).toBe("2 notices of number porting");
    await sender.stop();
  });

  it("go together into one mail while the one before is recent", async () => {
    const catcher = await startMailCatcher();
    const { account, email } = await newReader();
    const sender = await stack.startSender(settings(catcher, "1h"));
    await stack.publish([moved(account, "rejection")]);
    await whenSent(email, 1);
    await stack.publish(Array.from({ length: 30 }, () => moved(account, "rejection")));
    await eventually(async () => expect(await noticesTo(email)).toHaveLength(31));
    expect(mailsTo(catcher, email)).toHaveLength(1);
    await makeDue(email);
    await whenSent(email, 31);
    const subjects = mailsTo(catcher, email).map(({ subject }) => subject);
    expect(subjects).toEqual([
      "A porting order needs a correction (number ending in 23)",
      "30 notices of number porting",
    ]);
    await sender.stop();
  });

  it("are sent again as the same mail by the sender after one that was killed before its commit", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const holding = await startMailCatcher({ answer: () => held });
    const { account, email } = await newReader();
    const killed = spawnSender(stack, settings(holding));
    await stack.publish([moved(account, "rejection")]);
    await eventually(() => expect(mailsTo(holding, email)).toHaveLength(1), 30_000);
    await killSender(killed);
    release();
    expect(await noticesTo(email)).toMatchObject([{ is_sent: false, attempts: 1 }]);

    const catcher = await startMailCatcher();
    const sender = await stack.startSender(settings(catcher));
    await makeDue(email);
    await whenSent(email, 1);
    const [first, again] = [holding, catcher].map((one) => mailsTo(one, email));
    expect(again?.map(({ messageId }) => messageId)).toEqual(
      first?.map(({ messageId }) => messageId),
    );
    await sender.stop();
  });

  it("wait for a mail server that is away, which delays no webhook", async () => {
    const gone = await startMailCatcher();
    await gone.stop();
    const receiver = await startWebhookReceiver();
    const { account, email } = await newReader();
    await stack.newEndpoint(account, receiver.url);
    const sender = await stack.startSender(settings(gone));
    await stack.publish([moved(account, "rejection")]);
    await eventually(async () => {
      expect(await noticesTo(email)).toMatchObject([{ attempts: 1, mail_id: null }]);
    });
    await stack.publish([moved(account, "completed"), freshEvent(account)]);
    await eventually(() => expect(receiver.received).toHaveLength(3));
    const back = await startMailCatcher({ port: gone.port });
    await makeDue(email);
    await whenSent(email, 2);
    expect(mailsTo(back, email).map(({ subject }) => subject)).toEqual([
      "2 notices of number porting",
    ]);
    await sender.stop();
  });

  it("are not made of a kind that is switched off, of an old event, of a suspended account", async () => {
    const catcher = await startMailCatcher();
    const { account, email } = await newReader(["fix_needed"]);
    const suspended = await newReader();
    await queryRows(stack.pool, {
      text: "update accounts.accounts set status = 'suspended' where id = $1",
      values: [suspended.account],
    });
    const sender = await stack.startSender(settings(catcher));
    const old = new Date(Date.now() - 25 * 3_600_000);
    await stack.publish([
      moved(account, "rejection"),
      buildEvent("porting_order.status_changed", {
        ...{ id: newId(old), account_id: account, created_at: old },
      }),
      moved(suspended.account, "completed"),
    ]);
    await stack.publish([moved(account, "completed")]);
    await eventually(async () => {
      const found = await queryRows(stack.pool, {
        text: "select from events.log where account_id = any ($1)",
        values: [[account, suspended.account]],
      });
      expect(found).toHaveLength(4);
    });
    await whenSent(email, 1);
    expect((await noticesTo(email)).map(({ kind }) => kind)).toEqual(["numbers_live"]);
    expect(await noticesTo(suspended.email)).toEqual([]);
    await sender.stop();
  });

  it("are not even stored where SMTP_URL is not set", async () => {
    const { account, email } = await newReader();
    const receiver = await startWebhookReceiver();
    await stack.newEndpoint(account, receiver.url);
    const sender = await stack.startSender({ DESK_NOTICE_EMAILS: "desk@example.com" });
    await stack.publish([moved(account, "rejection")]);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(await noticesTo(email)).toEqual([]);
    await sender.stop();
  });
});
