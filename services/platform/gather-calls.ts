/** What one call is answered; thrown, it is that call's error alone. */
export type AnswerOf<T, R> = (call: T) => R;

export interface GatherOptions<T, R> {
  /** Does a round of calls at once; where it rejects, every call of the round does. */
  readonly run: (calls: readonly T[]) => Promise<AnswerOf<T, R>>;
  /** How many rounds may be under way side by side. */
  readonly lanes: number;
  /** How many calls go together at most. */
  readonly most: number;
}

interface Waiting<T, R> {
  readonly call: T;
  readonly resolve: (answer: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets calls share a round trip: those of one turn of the event loop go together, and those that come while all lanes
 * are taken go together next. None waits for a clock, and none is answered by what began before it came.
 */
export function gatherCalls<T, R>(options: GatherOptions<T, R>): (call: T) => Promise<R> {
  const { run, lanes, most } = options;
  const waiting: Waiting<T, R>[] = [];
  let underWay = 0;
  let isDue = false;

  const runRound = async (round: readonly Waiting<T, R>[]): Promise<void> => {
    underWay += 1;
    try {
      const answerOf = await run(round.map(({ call }) => call));
      for (const one of round) settle(one, answerOf);
    } catch (error) {
      for (const { reject } of round) reject(error);
    }
    underWay -= 1;
    plan();
  };
  const plan = (): void => {
    if (isDue || underWay >= lanes || waiting.length === 0) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      while (underWay < lanes && waiting.length > 0) void runRound(waiting.splice(0, most));
    });
  };
  return (call) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      plan();
    });
}

function settle<T, R>({ call, resolve, reject }: Waiting<T, R>, answerOf: AnswerOf<T, R>): void {
  try {
    resolve(answerOf(call));
  } catch (error) {
    reject(error);
  }
}
