import { randomUUID } from "node:crypto";
import { call, type Answer, type Call } from "../../support/http/call.ts";

/** Longer than recovery from any kill takes: a request unanswered by then will never be answered. */
export const GIVE_UP_MS = 120_000;
const AGAIN_MS = 100;
/** A client gives up a request that is not answered for so long, longer than the service itself lets one wait. */
const REQUEST_MS = 30_000;

/** A definite answer, or null where the request is to be repeated: no answer, a 5xx, or too many requests. */
export async function ask(url: string, options: Call): Promise<Answer | null> {
  try {
    const answer = await call(url, { timeoutMs: REQUEST_MS, ...options });
    return answer.status >= 500 || answer.status === 429 ? null : answer;
  } catch {
    return null;
  }
}

/** Repeats a request until it is answered, for `giveUpMs`; `doubted`: an earlier attempt may have had its effect. */
export async function askUntilAnswered(
  url: string,
  options: Call,
  giveUpMs: number = GIVE_UP_MS,
): Promise<{ readonly answer: Answer; readonly doubted: boolean }> {
  const deadline = performance.now() + giveUpMs;
  for (let doubted = false; ; doubted = true) {
    const answer = await ask(url, options);
    if (answer !== null) return { answer, doubted };
    if (performance.now() > deadline) {
      const what = `${options.method ?? "GET"} ${new URL(url).pathname}`;
      throw new Error(`${what} was not answered for ${giveUpMs / 1_000} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

/** Posts once, however often the request is repeated: every attempt has the same idempotency key. */
export async function postOnce(
  url: string,
  options: Omit<Call, "method">,
): Promise<{ readonly answer: Answer; readonly doubted: boolean }> {
  const headers = { ...options.headers, "Idempotency-Key": randomUUID() };
  const deadline = performance.now() + GIVE_UP_MS;
  for (let hadDoubt = false; ;) {
    const { answer, doubted } = await askUntilAnswered(url, {
      ...options,
      method: "POST",
      headers,
    });
    hadDoubt ||= doubted;
    // 409: an earlier attempt is still under way.
    if (answer.status !== 409 || performance.now() > deadline) return { answer, doubted: hadDoubt };
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
