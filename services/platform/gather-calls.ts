/** What one call is answered; thrown, it is that call's error alone. */
export type AnswerOf<T, R> = (call: T) => R;

export interface GatherOptions<T, R> {
  /** Does a round of calls at once; where it rejects, every call of the round does. */
  readonly run: (calls: readonly T[]) => Promise<AnswerOf<T, R>>;
  /** How many calls go together at most; so many that wait go at once, beside a round that is under way. */
  readonly most: number;
  /** How many rounds are waited for at most. */
  readonly atOnce?: number;
  /** After so long a round keeps the next ones waiting no more. */
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
 * Lets calls share a round trip: those of one turn of the event loop go together, and those that come while a round is
 * under way go together next, or beside it as soon as they fill a round of their own. None waits for a clock, and none
 * is answered by what began before it came.
 */
export function gatherCalls<T, R>(options: GatherOptions<T, R>): (call: T) => Promise<R> {
  const { run, most, atOnce = AT_ONCE, patienceMs = PATIENCE_MS } = options;
  const waiting: Waiting<T, R>[] = [];
  let underWay = 0;
  let isNextDue = false;

  const mayBegin = (): boolean => {
    if (underWay === 0) return waiting.length > 0;
    return underWay < atOnce && waiting.length >= most;
  };
  const next = (): void => {
    if (isNextDue || !mayBegin()) return;
    isNextDue = true;
    underWay += 1;
    setImmediate(() => {
      isNextDue = false;
      void runRound(waiting.splice(0, most));
      next();
    });
  };
  const runRound = async (round: readonly Waiting<T, R>[]): Promise<void> => {
    let isWaitedFor = true;
    const giveWay = (): void => {
      if (!isWaitedFor) return;
      isWaitedFor = false;
      underWay -= 1;
      next();
    };
    const timer = setTimeout(giveWay, patienceMs);
    try {
      const answerOf = await run(round.map(({ call }) => call));
      for (const one of round) settle(one, answerOf);
    } catch (error) {
      for (const { reject } of round) reject(error);
    } finally {
      clearTimeout(timer);
      giveWay();
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
