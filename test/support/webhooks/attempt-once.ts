import type { Agent } from "undici";
import type { AttemptLogEntry } from "../../../services/domain/webhook/rules/delivery.ts";
import { newSigningSecret } from "../../../services/domain/webhook/rules/signature.ts";
import { systemClock } from "../../../services/platform/clock.ts";
import { startAttempt } from "../../../services/webhook-sender/attempt/attempt.ts";
import type { ClaimedDelivery } from "../../../services/webhook-sender/store/claim-deliveries.ts";
import { Unsent } from "../../../services/webhook-sender/attempt/exchange.ts";

/** A first attempt that is due, of a delivery to this URL. */
export function claimOf(url: string): ClaimedDelivery {
  return {
    id: "01890a5d-ac96-774b-bcce-b302099a8057",
    account_id: "01890a5d-ac96-774b-bcce-b302099a8058",
    event_id: "01890a5d-ac96-774b-bcce-b302099a8059",
    event_type: "loa.signed",
    event_at: new Date(0),
    endpoint_key: "k",
    claim_no: 1,
    attempt_count: 1,
    by_hand: false,
    priority: 0,
    traceparent: null,
    max_per_second: null,
    url,
    body: Buffer.from('{"id":"01890a5d-ac96-774b-bcce-b302099a8059"}'),
    secret_owner: null,
    signing_secret: null,
    secret_key_id: null,
    previous_secret: null,
    previous_secret_key_id: null,
  };
}

/**
 * Attempts one delivery as the sender does and returns its log entry; the deadline is 15 s unless given.
 * @throws the proxy's fault where the attempt did not leave this machine
 */
export async function attemptOnce(
  agent: Agent,
  url: string,
  deadlineMs?: number,
): Promise<AttemptLogEntry> {
  const context = {
    client: agent,
    clock: systemClock,
    tracing: null,
    delaysMs: [60_000],
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  };
  const result = await startAttempt(context, claimOf(url), [newSigningSecret()]).result;
  if (result === null) throw new Error("The attempt was cancelled.");
  if (result instanceof Unsent) throw result.reason;
  return result.entry;
}
