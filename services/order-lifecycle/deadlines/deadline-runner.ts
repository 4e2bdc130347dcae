import type { Bus } from "../../messages/bus/bus.ts";
import type { MessageContext, MessageWriter } from "../../messages/bus/outgoing.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { classifyError } from "../../platform/kafka/kafka-faults.ts";
import { inSpan } from "../../platform/tracing/tracing.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";
import type { DeadlineKey } from "./store/take-due-deadlines.ts";

/** How long a deadline is postponed whose handler failed. */
const POSTPONE_MS = 60_000;

export interface DueBatch {
  readonly now: Date;
  /** Those that are postponed. */
  readonly except: readonly DeadlineKey[];
  /** Runs the handling of a deadline, which begins a trace of its own. */
  readonly handle: (deadline: DeadlineKey, work: () => Promise<void>) => Promise<void>;
}

/** Takes some due deadlines of one table and applies them, in one transaction; returns how many. */
export type TakeBatch = (writer: MessageWriter, batch: DueBatch) => Promise<number>;

export interface DeadlineRunnerOptions {
  readonly pollMs: number;
  /** Whether a deadline of any taker is due: a look without locks, so that nothing is begun while none is. */
  readonly isAnyDue: (now: Date) => Promise<boolean>;
  readonly takers: readonly TakeBatch[];
}

interface Postponed extends DeadlineKey {
  readonly untilMs: number;
}

/** Takes due deadlines every `pollMs`, batch after batch from each taker; any number of processes share the table. */
export function startDeadlineRunner(
  bus: MessageContext & Pick<Bus, "pool" | "clock" | "log" | "tracing">,
  { pollMs, isAnyDue, takers }: DeadlineRunnerOptions,
): Periodic {
  let stopping = false;
  let postponed: readonly Postponed[] = [];

  const takeBatch = async (take: TakeBatch): Promise<number> => {
    const now = bus.clock.now();
    postponed = postponed.filter(({ untilMs }) => untilMs > now.getTime());
    const except = postponed;
    const handled: { current: DeadlineKey | null } = { current: null };
    const handle: DueBatch["handle"] = (deadline, work) => {
      handled.current = deadline;
      const span = { name: `deadline ${deadline.kind}`, kind: "internal", attributes: {} } as const;
      return inSpan(bus.tracing, span, work);
    };
    try {
      return await inTransaction(bus.pool, (tx) => take({ ...bus, tx }, { now, except, handle }));
    } catch (error) {
      if (handled.current === null || classifyError(error) === "transient") throw error;
      const { kind, subject_id } = handled.current;
      bus.log.error({ err: error, kind, subject_id }, "a deadline failed and is postponed");
      postponed = [...postponed, { kind, subject_id, untilMs: now.getTime() + POSTPONE_MS }];
      return 1;
    }
  };
  const takeAll = async (take: TakeBatch): Promise<void> => {
    let taken = 1;
    while (!stopping && taken > 0) taken = await takeBatch(take);
  };
  const periodic = startPeriodic({
    name: "deadlines",
    everyMs: pollMs,
    // In parallel: neither a backlog nor a failure of one taker delays another.
    run: async () => {
      if (!(await isAnyDue(bus.clock.now()))) return;
      const ends = await Promise.allSettled(takers.map(takeAll));
      const failed = ends.find((end) => end.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
    log: bus.log,
  });
  return {
    stop: async () => {
      stopping = true;
      await periodic.stop();
    },
  };
}
