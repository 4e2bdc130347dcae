import { createTransport } from "nodemailer";
import type { MailText } from "./compose-mail.ts";

export interface Mail extends MailText {
  readonly id: string;
  readonly to: string;
}

/**
 * `refused`: nothing was accepted, so that the notices may go into another mail; `refused_for_good`: nor will it be.
 * `unknown`: it may have been accepted, so that it is sent again as the same mail.
 */
export interface MailResult {
  readonly outcome: "sent" | "refused" | "refused_for_good" | "unknown";
  /** Whether the server failed rather than the mail. */
  readonly isServerAway: boolean;
  /** Such as `ECONNECTION` or `550`; no text of the server, which may name the recipient. */
  readonly reason: string;
}

export interface MailServer {
  send(mail: Mail, signal: AbortSignal): Promise<MailResult>;
}

interface MailServerOptions {
  readonly url: string;
  readonly from: string;
  /** Whether a server that offers no STARTTLS is refused, unless it is on this machine. */
  readonly requireTls: boolean;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 20_000;
const SUBMISSION = 587;
const SUBMISSION_OVER_TLS = 465;

/** Each mail has a connection of its own: they are few, and a kept one would hide that the server is away. */
export function createMailServer({ url, from, requireTls }: MailServerOptions): MailServer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "smtps:";
  const isHere = isLoopback(hostname);
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? SUBMISSION_OVER_TLS : SUBMISSION) : Number(port),
    secure,
    requireTLS: !secure && requireTls && !isHere,
    // The certificate of a server on this machine is seldom made for its name.
    ignoreTLS: !secure && isHere,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: ANSWER_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  });
  const domain = from.slice(from.indexOf("@") + 1);
  return {
    send: async ({ id, to, subject, text }, signal) => {
      try {
        await transport.sendMail({
          ...{ from, to, subject, text, signal },
          messageId: `<${id}@${domain}>`,
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return { outcome: "sent", isServerAway: false, reason: "" };
      } catch (error) {
        return resultOf(error);
      }
    },
  };
}

/** Whether what is sent stays on this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

interface SmtpFault {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly responseCode?: unknown;
  /** Of the system, such as `ECONNREFUSED`. */
  readonly originalCode?: unknown;
  readonly timeoutType?: unknown;
}

const OF_THE_MAIL = ["EENVELOPE", "EMESSAGE"];

/** What a fault of the library means. */
export function resultOf(error: unknown): MailResult {
  const fault = error as SmtpFault;
  const answer = typeof fault.responseCode === "number" ? fault.responseCode : null;
  const name = typeof fault.code === "string" ? fault.code : "unknown";
  const reason = answer === null ? name : String(answer);
  if (answer !== null && OF_THE_MAIL.includes(name) && fault.command !== "MAIL FROM") {
    const outcome = answer >= 500 ? "refused_for_good" : "refused";
    return { outcome, isServerAway: false, reason };
  }
  const isRefused = answer !== null || wasNotBegun(fault);
  return { outcome: isRefused ? "refused" : "unknown", isServerAway: true, reason };
}

const BEFORE_THE_MAIL = [
  ...["EDNS", "ETLS", "EAUTH"],
  ...["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"],
  ...["CONNECT_TIMEOUT", "GREETING_TIMEOUT", "UPGRADE_TIMEOUT"],
];

function wasNotBegun({ code, originalCode, timeoutType }: SmtpFault): boolean {
  return [code, originalCode, timeoutType].some(
    (one) => typeof one === "string" && BEFORE_THE_MAIL.includes(one),
  );
}
