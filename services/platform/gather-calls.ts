import { runOutsideSpans } from "./tracing/tracing.ts";

/** Returns the answer to one call, for which no other call waits; an error here rejects only that call. */
type AnswerOf<T, R> = (call: T) => R | Promise<R>;

interface GatherOptions<T, R> {
  /** Runs a batch of calls together; if it rejects, every call of the batch does. */
  readonly run: (calls: readonly T[]) => Promise<AnswerOf<T, R>>;
  /** The most calls per batch. */
  readonly most: number;
  /** Once this many wait, they start next to a running batch; unless given, a whole batch. */
  readonly enough?: number;
  /** The most batches that later calls wait for. */
  readonly atOnce?: number;
  /** After this time a batch no longer delays the next ones. */
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
 * batch form the next one, or start next to it once enough of them wait. No call waits for a timer, and
 * none is answered by a batch that started before it.
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
    const batch = blocking.add();
    setImmediate(runOutsideSpans, () => begin(batch));
  };
  const blocking = new BlockingBatches(patienceMs, next);
  const begin = (batch: Batch): void => {
    isNextDue = false;
    batch.startedAt = performance.now();
    void runBatch(batch, waiting.splice(0, most));
    next();
  };
  const runBatch = async (batch: Batch, calls: readonly Waiting<T, R>[]): Promise<void> => {
    try {
      const answerOf = await run(calls.map(({ call }) => call));
      for (const one of calls) settle(one, answerOf);
    } catch (error) {
      for (const { reject } of calls) reject(error);
    } finally {
      blocking.end(batch);
      next();
    }
  };
  return (call) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ call, resolve, reject });
      next();
    });
}

/** Since when a batch runs, on the monotonic clock; infinite until then. */
interface Batch {
  startedAt: number;
}

/** The batches that later calls wait for, each for as long as the patience lasts. */
class BlockingBatches {
  readonly #patienceMs: number;
  readonly #onPassed: () => void;
  /** In the order in which they started. */
  readonly #batches: Batch[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(patienceMs: number, onPassed: () => void) {
    this.#patienceMs = patienceMs;
    this.#onPassed = onPassed;
  }

  add(): Batch {
    const batch = { startedAt: Infinity };
    this.#batches.push(batch);
    return batch;
  }

  end(batch: Batch): void {
    const at = this.#batches.indexOf(batch);
    if (at >= 0) this.#batches.splice(at, 1);
  }

  /** How many there are, without those that have become too slow. */
  count(): number {
    while (this.#oldestPassesInMs() <= 0) this.#batches.shift();
    return this.#batches.length;
  }

  /**
   * Calls back once the oldest may have become too slow. One timer for all, kept until it is due: a timer for each batch
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
    const [oldest] = this.#batches;
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
