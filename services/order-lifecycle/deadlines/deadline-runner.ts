import type { CommandContext } from "../../domain/command/store/run-command.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { MessageWriter } from "../../messages/bus/outgoing.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { classifyError } from "../../platform/kafka/classify-error.ts";
import { startPeriodic, type Periodic } from "../../platform/periodic.ts";
import type { DeadlineKey } from "./store/take-due-deadlines.ts";

/** How long a deadline is left alone whose handler failed. */
const PUT_OFF_MS = 60_000;

export interface DueBatch {
  readonly now: Date;
  /** Those that are left alone for now. */
  readonly except: readonly DeadlineKey[];
  /** Called with each deadline before it is handled. */
  readonly onBegin: (deadline: DeadlineKey) => void;
}

/** Takes some due deadlines of one table in a transaction and brings about what they are for; how many they were. */
export type TakeBatch = (writer: MessageWriter, batch: DueBatch) => Promise<number>;

export interface DeadlineRunnerOptions {
  readonly pollMs: number;
  readonly takers: readonly TakeBatch[];
}

interface PutOff extends DeadlineKey {
  readonly untilMs: number;
}

/** Takes what is due every `pollMs`, from each taker batch after batch; any number of processes share the table. */
export function startDeadlineRunner(
  bus: CommandContext & Pick<Bus, "clock" | "log">,
  { pollMs, takers }: DeadlineRunnerOptions,
): Periodic {
  let stopping = false;
  let putOff: readonly PutOff[] = [];

  const takeBatch = async (take: TakeBatch): Promise<number> => {
    const now = bus.clock.now();
    putOff = putOff.filter(({ untilMs }) => untilMs > now.getTime());
    const except = putOff;
    const under: { hand: DeadlineKey | null } = { hand: null };
    const onBegin = (deadline: DeadlineKey): void => {
      under.hand = deadline;
    };
    try {
      return await inTransaction(bus.pool, (tx) => take({ ...bus, tx }, { now, except, onBegin }));
    } catch (error) {
      if (under.hand === null || classifyError(error) === "transient") throw error;
      const { kind, subject_id } = under.hand;
      bus.log.error({ err: error, kind, subject_id }, "a deadline failed and is put off");
      putOff = [...putOff, { kind, subject_id, untilMs: now.getTime() + PUT_OFF_MS }];
      return 1;
    }
  };
  const takeAll = async (take: TakeBatch): Promise<void> => {
    while (!stopping && (await takeBatch(take)) > 0) bus.hint.notify();
  };
  const periodic = startPeriodic({
    name: "deadlines",
    everyMs: pollMs,
    // Side by side: neither a backlog nor a fault of one taker holds another up.
    run: async () => {
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
