import { Buffer } from "node:buffer";
import { performance } from "node:perf_hooks";
import { Agent, request } from "undici";

const DEADLINE_MS = 15_000;

const RECORD = {
  name: "record",
  text: `insert into deliveries (id, event_id, endpoint, status, completed_at, attempt_log)
    values ($1, $2, $3, $4, $5, $6)`,
};

/**
 * The job of every peer: POSTs a signed body and records the attempt. A failed attempt is not repeated, so that retries
 * do not disturb the rest of a run.
 */
export async function createAttempt(pool, { endpoints, signatureModule }) {
  const { signatureHeaders } = await import(signatureModule);
  const client = new Agent({ headersTimeout: DEADLINE_MS, bodyTimeout: DEADLINE_MS });

  return async ({ id, event_id, event_type, endpoint, body: text }) => {
    const { url, secret } = endpoints[endpoint];
    const [startedAt, startedMs] = [new Date(), performance.now()];
    const body = Buffer.from(text);
    const headers = {
      "Content-Type": "application/json",
      "Porting-Event-Id": event_id,
      "Porting-Event-Type": event_type,
      ...signatureHeaders({ eventId: event_id, body, at: startedAt, secrets: [secret] }),
    };
    const entry = { attempt: 1, started_at: startedAt, response_code: null, error: null };
    try {
      const answer = await request(url, { method: "POST", headers, body, dispatcher: client });
      entry.response_code = answer.statusCode;
      entry.response_body = await answer.body.text();
    } catch (error) {
      entry.error = error.code ?? error.message;
    }
    entry.duration_ms = Math.round(performance.now() - startedMs);
    const status = Math.floor((entry.response_code ?? 0) / 100) === 2 ? "succeeded" : "failed";
    const values = [id, event_id, endpoint, status, new Date(), JSON.stringify([entry])];
    await pool.query({ ...RECORD, values });
  };
}
