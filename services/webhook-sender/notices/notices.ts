import type { Bus } from "../../messages/bus/bus.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";
import type { WebhookSenderConfig } from "../config.ts";
import {
  addDeskNotices,
  addNotices,
  claimMail,
  endMail,
  forgetNotices,
  retryMail,
  type ClaimedMail,
} from "../store/notices.ts";
import { composeMail } from "./compose-mail.ts";
import type { MailResult, MailServer } from "./mail-server.ts";
import { noticeOfEvent } from "./notice-of-event.ts";

const DAY_MS = 86_400_000;
/** Longer than an attempt: a mail whose sender was killed is sent again after it. */
const LEASE_MS = 60_000;
const ATTEMPT_MS = 40_000;
const POLL_MS = 1_000;
const DESK_POLL_MS = 15_000;
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 30 * 60_000;
const LONGEST_PAUSE_MS = 60_000;
/** How many notices a mail names; it counts the rest. */
const NAMED = 20;
/** For whoever looks what was sent. No notice is made of an event older than a day, so that none is made twice. */
const KEPT_MS = 7 * DAY_MS;

export interface PausedEndpoint {
  readonly id: string;
  readonly account_id: string;
  readonly url: string;
}

export interface Notices {
  /** Stores what the accounts' addresses are to get of events. Sends nothing: what waits for a mail server is elsewhere. */
  ofEvents(events: readonly PortingEvent[]): Promise<void>;
  /** In the transaction that pauses them. */
  ofPaused(tx: Queryable, endpoints: readonly PausedEndpoint[]): Promise<void>;
  stop(): Promise<void>;
}

type NoticeBus = Pick<Bus, "pool" | "clock" | "log" | "metrics">;

/** Null where no mail server is set: then nothing is stored, and nothing runs. */
export async function startNotices(
  bus: NoticeBus,
  config: WebhookSenderConfig,
): Promise<Notices | null> {
  const { SMTP_URL: url, SMTP_FROM: from } = config;
  if (url === undefined || from === undefined) return null;
  const { createMailServer } = await import("./mail-server.ts");
  const server = createMailServer({ url, from, requireTls: config.SMTP_REQUIRE_TLS });
  const { pool, clock } = bus;
  const pace = () => ({ now: clock.now(), intervalMs: config.NOTICE_INTERVAL });
  const stopping = new AbortController();
  const tasks = [sendDue(bus, config, { server, signal: stopping.signal }), noteDesk(bus, config)];
  return {
    ofEvents: (events) => {
      const since = earlier(clock.now(), DAY_MS).getTime();
      const recent = events.filter(({ created_at: at }) => at >= since);
      const notices = recent.map(noticeOfEvent).filter((notice) => notice !== null);
      return addNotices(pool, notices, pace());
    },
    ofPaused: (tx, endpoints) => {
      const at = clock.now().toISOString();
      const notices = endpoints.map(({ id, account_id, url: target }) => ({
        key: `endpoint_paused:${id}:${at}`,
        account_id,
        kind: "endpoint_paused" as const,
        facts: { endpoint_id: id, host: new URL(target).hostname },
      }));
      return addNotices(tx, notices, pace());
    },
    stop: async () => {
      stopping.abort();
      await Promise.all(tasks.map((task) => task.stop()));
    },
  };
}

function noteDesk({ pool, clock, log }: NoticeBus, config: WebhookSenderConfig): Periodic {
  const { DESK_NOTICE_EMAILS: emails, DESK_NOTICES: kinds, NOTICE_INTERVAL: intervalMs } = config;
  return startPeriodic({
    name: "notices of the desk",
    everyMs: DESK_POLL_MS,
    run: async () => {
      const now = clock.now();
      if (emails.length > 0) await addDeskNotices(pool, { emails, kinds }, { now, intervalMs });
      await forgetNotices(pool, {
        waitingSince: earlier(now, DAY_MS),
        endedSince: earlier(now, KEPT_MS),
      });
    },
    log,
  });
}

interface Sending {
  readonly server: MailServer;
  readonly signal: AbortSignal;
}

/** One mail at a time, by a connection that is used for nothing else; none to the database while the server is awaited. */
function sendDue(bus: NoticeBus, config: WebhookSenderConfig, sending: Sending): Periodic {
  const { pool, clock, log } = bus;
  const mails = bus.metrics.counter({
    name: "notice_mails_total",
    help: "Attempts to send a mail with notices, by their result",
    labels: ["result"],
  });
  for (const result of ["sent", "refused", "refused_for_good", "unknown"]) mails.inc({ result }, 0);
  let pauseMs = POLL_MS;
  return startPeriodic({
    name: "notices",
    everyMs: () => pauseMs,
    run: async () => {
      while (!sending.signal.aborted) {
        const now = clock.now();
        const claim = { now, leaseMs: LEASE_MS, named: NAMED, since: earlier(now, DAY_MS) };
        const mail = await claimMail(pool, claim);
        if (mail === null) return;
        const result = await attempt(mail, config, sending);
        mails.inc({ result: result.outcome });
        await record({ pool, clock, log }, mail, result);
        pauseMs = result.isServerAway ? Math.min(2 * pauseMs, LONGEST_PAUSE_MS) : POLL_MS;
        if (result.isServerAway) return;
      }
    },
    log,
  });
}

function attempt(
  { mail_id: id, recipient: to, account_id, total, notices }: ClaimedMail,
  { PUBLIC_API_URL: api, PUBLIC_DESK_URL: desk }: WebhookSenderConfig,
  { server, signal }: Sending,
): Promise<MailResult> {
  const isDesk = account_id === null;
  const text = composeMail(notices, total, { links: { api, desk }, isDesk });
  return server.send(
    { id, to, ...text },
    AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]),
  );
}

async function record(
  { pool, clock, log }: Pick<NoticeBus, "pool" | "clock" | "log">,
  { mail_id: id, account_id, attempts, total }: ClaimedMail,
  { outcome, reason }: MailResult,
): Promise<void> {
  const now = clock.now();
  const facts = { mail_id: id, account_id, notices: total, attempts };
  if (outcome === "sent") {
    await endMail(pool, id, now);
    log.info(facts, "notices were sent by mail");
    return;
  }
  log.warn({ ...facts, reason }, "a mail with notices was not sent");
  if (outcome === "refused_for_good") return endMail(pool, id, null);
  const isReleased = outcome === "refused";
  await retryMail(pool, id, { now, waitMs: waitAfter(attempts), isReleased });
}

function earlier(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}

/** 1, 2, 4, … minutes, half an hour at most. */
export function waitAfter(attempts: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_WAIT_MS);
}
