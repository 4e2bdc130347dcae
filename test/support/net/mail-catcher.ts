import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

/** A mail as it arrived. */
export interface CaughtMail {
  readonly to: readonly string[];
  readonly messageId: string;
  readonly subject: string;
  readonly raw: string;
}

export interface MailCatcher {
  readonly port: number;
  readonly url: string;
  readonly mails: readonly CaughtMail[];
  stop(): Promise<void>;
}

interface CatcherOptions {
  readonly port?: number;
  /** Awaited before a mail is answered with 250; it is in `mails` already. */
  readonly answer?: () => Promise<void>;
}

/** A mail server on this machine that keeps what it gets, without login and TLS. */
export async function startMailCatcher({
  port = 0,
  answer = () => Promise.resolve(),
}: CatcherOptions = {}): Promise<MailCatcher> {
  const mails: CaughtMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, session, done) => {
      const caught = text(stream).then((raw) => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, ...headersOf(raw), raw });
        return answer();
      });
      caught.then(() => done(), done);
    },
  });
  server.on("error", () => undefined);
  const listener = server.listen(port, "127.0.0.1");
  await once(listener, "listening");
  const { port: listening } = listener.address() as AddressInfo;
  return {
    port: listening,
    url: `smtp://127.0.0.1:${listening}`,
    mails,
    stop: endAfterTests(() => new Promise<void>((resolve) => server.close(resolve))),
  };
}

function headersOf(raw: string): Pick<CaughtMail, "messageId" | "subject"> {
  const headers = raw.slice(0, raw.indexOf("\r\n\r\n")).replaceAll(/\r\n[ \t]+/g, " ");
  const valueOf = (name: string): string =>
    new RegExp(`^${name}: (.*)$`, "im").exec(headers)?.[1] ?? "";
  return { messageId: valueOf("Message-ID"), subject: valueOf("Subject") };
}
