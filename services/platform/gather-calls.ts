import { runOutsideSpans } from "./tracing/current-span.ts";

/** Returns the answer to one call; an error thrown here rejects only that call. */
export type AnswerOf<T, R> = (call: T) => R;

export interface GatherOptions<T, R> {
  /** Runs a round of calls together; if it rejects, every call of the round does. */
  readonly run: (calls: readonly T[]) => Promise<AnswerOf<T, R>>;
  /** The most calls per round. */
  readonly most: number;
  /** Once this many wait, they start next to a running round; unless given, a whole round. */
  readonly enough?: number;
  /** The most rounds that later calls wait for. */
  readonly atOnce?: number;
  /** After this time a round no longer delays the next ones. */
  readonly patienceMs?: number;
}

interface Waiting<T, R> {
  readonly call: T;
  readonly resolve: (answer: R) => void;
  readonly reject: (error: unknown) => void;
}

const PATIENCE_MS = 50;
const AT_ONCE = 2;

/**
 * Lets calls share a round trip: those of one event loop tick go together, and those that arrive during a
 * round form the next one, or start next to it once enough of them wait. No call waits for a timer, and
 * none is answered by a round that started before it.
 */
export function gatherCalls<T, R>(options: GatherOptions<T, R>): (call: T) => Promise<R> {
  const { run, most, enough = most, atOnce = AT_ONCE, patienceMs = PATIENCE_MS } = options;
  const waiting: Waiting<T, R>[] = [];
  let underWay = 0;
  let isNextDue = false;

  const mayBegin = (): boolean => {
    if (underWay === 0) return waiting.length > 0;
    return underWay < atOnce && waiting.length >= enough;
  };
  const next = (): void => {
    if (isNextDue || !mayBegin()) return;
    isNextDue = true;
    underWay += 1;
    setImmediate(runOutsideSpans, begin);
  };
  const begin = (): void => {
    isNextDue = false;
    void runRound(waiting.splice(0, most));
    next();
  };
  const runRound = async (round: readonly Waiting<T, R>[]): Promise<void> => {
    let isBlocking = true;
    const unblock = (): void => {
      if (!isBlocking) return;
      isBlocking = false;
      underWay -= 1;
      next();
    };
    const timer = setTimeout(unblock, patienceMs);
    try {
      const answerOf = await run(round.map(({ call }) => call));
      for (const one of round) settle(one, answerOf);
    } catch (error) {
      for (const { reject } of round) reject(error);
    } finally {
      clearTimeout(timer);
      unblock();
    }
  };
  return (call) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      next();
    });
}

function settle<T, R>({ call, resolve, reject }: Waiting<T, R>, answerOf: AnswerOf<T, R>): void {
  try {
    resolve(answerOf(call));
  } catch (error) {
    reject(error);
  }
}
