import { readFile } from "node:fs/promises";
import { webhookBody } from "../../client/webhooks/sign-webhook.ts";
import { ApiError } from "../../client/errors.ts";
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT_CODES } from "../errors/exit-codes.ts";
import { readInput } from "../read-input.ts";
import type { Session } from "../session.ts";
import { explainSignature, isValid } from "./explain-signature.ts";

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
