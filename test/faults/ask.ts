import { call } from "../support/call.ts";
import type { Answer, Call } from "../support/call.ts";

/** An answer that settles what happened, or null where the request is in doubt: nobody answered, or a 5xx did. */
export async function ask(url: string, options: Call): Promise<Answer | null> {
  try {
    const answer = await call(url, options);
    return answer.status >= 500 ? null : answer;
  } catch {
    return null;
  }
}

const AGAIN_MS = 100;

/** Asks until it is answered. `doubted` says whether an earlier try may have had its effect. */
export async function askUntilAnswered(
  url: string,
  options: Call,
): Promise<{ readonly answer: Answer; readonly doubted: boolean }> {
  for (let doubted = false; ; doubted = true) {
    const answer = await ask(url, options);
    if (answer !== null) return { answer, doubted };
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}
