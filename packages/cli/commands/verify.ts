import { readFile } from "node:fs/promises";
import { ApiError } from "../../client/errors.ts";
import {
  isSignedBy,
  readSignature,
  webhookBody,
  type ReadSignature,
} from "../../client/webhooks.ts";
import { CliError, EXIT_CODES, usageError } from "../errors.ts";
import { readInput } from "../host.ts";
import type { Session } from "../session.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const NO_SECRET = "Give the secret with --secret, or in WEBHOOK_SECRETS.";

export interface VerifyOptions {
  readonly secret?: readonly string[];
  readonly header: string;
  readonly body: string;
  readonly at?: string;
  readonly tolerance: number;
  readonly event?: string;
  readonly offline?: true;
  readonly json?: boolean;
}

/** Checks a signature as a receiver does, and says what is wrong with it. */
export async function verify(session: Session, options: VerifyOptions): Promise<void> {
  const secrets = options.secret ?? keptSecrets(session);
  if (secrets.every((one) => one === "")) throw usageError(NO_SECRET);
  const body = await readBody(session, options.body);
  const explanation = explainSignature({
    header: options.header.replace(/^porting-signature:\s*/i, ""),
    secrets,
    body,
    nowSeconds: secondsOf(options.at),
    toleranceSeconds: options.tolerance,
    sent: options.offline === true ? null : await sentBody(session, options.event ?? idIn(body)),
  });
  const out = session.printer(options);
  const valid = isValid(explanation);
  if (!valid) session.exitCode = EXIT_CODES.negative;
  if (out.isJson) {
    out.json({ valid, ...explanation });
    return;
  }
  const { paint } = out.style;
  out.line(
    valid ? paint.green("The signature is valid.") : paint.red("The signature is not valid."),
  );
  for (const finding of explanation.findings) out.line(finding);
}

/** As the receivers in examples/ have them. */
function keptSecrets({ host }: Session): readonly string[] {
  return (host.env["WEBHOOK_SECRETS"] ?? "").split(",");
}

async function readBody(session: Session, path: string): Promise<Buffer> {
  const { host } = session;
  if (path === "-") {
    if (host.stdin.isTTY === true) session.printer({}).note("Reading the body; Ctrl-D ends it.");
    return readInput(host);
  }
  try {
    return await readFile(path);
  } catch {
    throw new CliError(`${path} cannot be read.`, EXIT_CODES.usage);
  }
}

function secondsOf(at: string | undefined): number {
  if (at === undefined) return Math.floor(Date.now() / 1_000);
  const ms = /^\d+$/.test(at) ? Number(at) * 1_000 : Date.parse(at);
  if (Number.isNaN(ms)) throw usageError(`--at ${at} is neither Unix seconds nor a time.`);
  return Math.floor(ms / 1_000);
}

function idIn(body: Buffer): string {
  return /"id":\s*"([^"]+)"/.exec(body.toString("utf8"))?.[1] ?? "";
}

/** What the service sends for the event; null where it cannot be asked, or has no such event. */
async function sentBody(session: Session, eventId: string): Promise<string | null> {
  const client = session.optionalClient;
  if (client === null || !UUID.test(eventId)) return null;
  try {
    return webhookBody(await client.getPortingEvent(eventId));
  } catch (error) {
    session.host.signal.throwIfAborted();
    if (error instanceof ApiError && error.status === 404) return null;
    session.printer({}).note("The service could not be asked for the event; going on without it.");
    return null;
  }
}

/** What of a signature is valid and what is not; null where that cannot be known. */
interface Explanation {
  readonly header: boolean;
  readonly time: boolean | null;
  readonly secret: boolean | null;
  readonly body: boolean | null;
  /** Sentences for the person who looks for the fault. */
  readonly findings: readonly string[];
}

export interface Question {
  readonly header: string;
  readonly secrets: readonly string[];
  readonly body: Buffer;
  readonly nowSeconds: number;
  readonly toleranceSeconds: number;
  /** The body as the service has it; null where it could not be asked. */
  readonly sent: string | null;
}

/** Why a signature does not hold: which of header, time, secret and body is at fault. */
export function explainSignature(question: Question): Explanation {
  const signature = readSignature(question.header);
  if (signature === null) {
    const findings = [
      "The header is not t=<seconds>,v1=<hex>: it was cut, or it is another header.",
    ];
    return { header: false, time: null, secret: null, body: null, findings };
  }
  const late = lateness(signature, question);
  const { secret, body, finding } = judge(signature, question);
  return {
    header: true,
    time: late === null,
    secret,
    body,
    findings: [...(late === null ? [] : [late]), finding],
  };
}

export function isValid({ header, time, secret, body }: Explanation): boolean {
  return header && time === true && secret === true && body === true;
}

function lateness({ t }: ReadSignature, { nowSeconds, toleranceSeconds }: Question): string | null {
  const age = nowSeconds - Number(t);
  if (Math.abs(age) <= toleranceSeconds) return null;
  const at = new Date(Number(t) * 1_000).toISOString();
  const how = age > 0 ? `${age} s ago` : `${-age} s ahead of this clock`;
  return `Time: it was signed at ${at}, ${how}; receivers accept ${toleranceSeconds} s. --at checks it as of then.`;
}

/** A digest that does not match does not distinguish these. */
const CAUSES =
  "Either the secret is another one (each endpoint has its own, and an order's webhook_url may have the account's), or the header is that of another webhook, or its t or v1 was changed.";

interface Verdict {
  readonly secret: boolean | null;
  readonly body: boolean | null;
  readonly finding: string;
}

function judge(signature: ReadSignature, { secrets, body, sent }: Question): Verdict {
  const isSigned = (by: readonly string[], what: string | Buffer): boolean =>
    isSignedBy(signature, by, what);
  if (isSigned(secrets, body)) {
    return { secret: true, body: true, finding: "Secret and body: the secret signed this body." };
  }
  const change = bodyChanges(body, sent).find(({ original }) => isSigned(secrets, original));
  if (change !== undefined) {
    return { secret: true, body: false, finding: `Body: ${change.what} The secret is right.` };
  }
  const mistake = secretMistakes(secrets).find(({ meant }) => isSigned([meant], body));
  if (mistake !== undefined)
    return { secret: false, body: true, finding: `Secret: ${mistake.what}` };
  if (sent === null) {
    const finding = `Secret, header and body do not fit together. ${CAUSES} Whether the body was changed can be checked where the service can be asked for the event.`;
    return { secret: null, body: null, finding };
  }
  // The service's own body does not fit either: the body is not the reason, but secret and header cannot be distinguished.
  const isSame = body.equals(Buffer.from(sent));
  const text = body.toString("utf8");
  const also = isSame
    ? "The body is as it was sent."
    : `The body is not what was sent: ${firstDifference(text, sent)}.`;
  const finding = `${also} The secret did not sign what was sent with the time of this header. ${CAUSES}`;
  return { secret: null, body: isSame, finding };
}

/** What the body may have been before something on the way changed it. */
function bodyChanges(
  body: Buffer,
  sent: string | null,
): { readonly original: string; readonly what: string }[] {
  const text = body.toString("utf8");
  const reserialized = compact(text);
  return [
    {
      original: text.replace(/\s+$/, ""),
      what: "whitespace was added at its end, as editors and echo do.",
    },
    {
      original: reserialized ?? text,
      what: "it was parsed and written again with other spaces; check the raw bytes.",
    },
    {
      original: sent ?? text,
      what: `it is not what was sent: ${firstDifference(text, sent ?? text)}. Check the raw bytes, before they are parsed.`,
    },
  ];
}

function compact(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

function firstDifference(given: string, sent: string): string {
  let at = 0;
  while (at < given.length && given[at] === sent[at]) at += 1;
  const excerpt = (text: string): string => JSON.stringify(text.slice(at, at + 20));
  return `from character ${at} on it has ${excerpt(given)} in place of ${excerpt(sent)}`;
}

/** The secret that was meant, where the given one was copied or decoded wrongly. */
function secretMistakes(
  secrets: readonly string[],
): { readonly meant: string; readonly what: string }[] {
  return secrets.flatMap((secret) => [
    { meant: secret.trim(), what: "it has spaces or a line break around it." },
    {
      meant: `whsec_${secret.trim()}`,
      what: "its prefix whsec_ is missing; the key is the whole text.",
    },
  ]);
}
