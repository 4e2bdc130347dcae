import { runOutsideSpans } from "./tracing/tracing.ts";

/** Returns the answer to one call, for which no other call waits; an error here rejects only that call. */
type AnswerOf<T, R> = (call: T) => R | Promise<R>;

interface GatherOptions<T, R> {
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
  readonly resolve: (answer: R | Promise<R>) => void;
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
  let isNextDue = false;

  const next = (): void => {
    if (isNextDue || waiting.length === 0) return;
    const underWay = blocking.count();
    if (underWay > 0 && (underWay >= atOnce || waiting.length < enough)) {
      blocking.watch();
      return;
    }
    isNextDue = true;
    const round = blocking.add();
    setImmediate(runOutsideSpans, () => begin(round));
  };
  const blocking = new BlockingRounds(patienceMs, next);
  const begin = (round: Round): void => {
    isNextDue = false;
    round.startedAt = performance.now();
    void runRound(round, waiting.splice(0, most));
    next();
  };
  const runRound = async (round: Round, calls: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const answerOf = await run(calls.map(({ call }) => call));
      for (const one of calls) settle(one, answerOf);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    } finally {
      blocking.end(round);
      next();
    }
  };
  return (call) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      next();
    });
}

/** Since when a round runs, on the monotonic clock; infinite until then. */
interface Round {
  startedAt: number;
}

/** The rounds that later calls wait for, each for as long as the patience lasts. */
class BlockingRounds {
  readonly #patienceMs: number;
  readonly #onPassed: () => void;
  /** In the order in which they started. */
  readonly #rounds: Round[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(patienceMs: number, onPassed: () => void) {
    this.#patienceMs = patienceMs;
    this.#onPassed = onPassed;
  }

  add(): Round {
    const round = { startedAt: Infinity };
    this.#rounds.push(round);
    return round;
  }

  end(round: Round): void {
    const at = this.#rounds.indexOf(round);
    if (at >= 0) this.#rounds.splice(at, 1);
  }

  /** How many there are, without those that have become too slow. */
  count(): number {
    while (this.#oldestPassesInMs() <= 0) this.#rounds.shift();
    return this.#rounds.length;
  }

  /**
   * Calls back once the oldest may have become too slow. One timer for all, kept until it is due: a timer for each round
   * would be made and cleared with every round trip.
   */
  watch(): void {
    if (this.#timer !== null) return;
    const pass = (): void => {
      this.#timer = null;
      this.#onPassed();
    };
    this.#timer = setTimeout(pass, Math.ceil(this.#oldestPassesInMs())).unref();
  }

  /** Infinite where there is none. */
  #oldestPassesInMs(): number {
    const [oldest] = this.#rounds;
    if (oldest === undefined) return Infinity;
    return oldest.startedAt + this.#patienceMs - performance.now();
  }
}

function settle<T, R>({ call, resolve, reject }: Waiting<T, R>, answerOf: AnswerOf<T, R>): void {
  try {
    resolve(answerOf(call));
  } catch (error) {
    reject(error);
  }
}
