import { call, type Answer, type Call } from "../support/http/call.ts";

/** Longer than recovery from any kill takes: a request unanswered by then will never be answered. */
export const GIVE_UP_MS = 120_000;
const AGAIN_MS = 100;

/** A definite answer, or null where the request's outcome is in doubt: no answer, or a 5xx. */
export async function ask(url: string, options: Call): Promise<Answer | null> {
  try {
    const answer = await call(url, options);
    return answer.status >= 500 ? null : answer;
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
