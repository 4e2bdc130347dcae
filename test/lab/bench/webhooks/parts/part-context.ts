import type { Plan } from "../plan.ts";
import type { Receiver } from "../receiver.ts";
import type { WebhookSystem } from "../system.ts";
import { startMeter, type Usage } from "../usage.ts";

/** The context in which a part measures. */
export interface PartContext {
  readonly system: WebhookSystem;
  readonly receiver: Receiver;
  readonly plan: Plan;
  readonly log: (line: string) => void;
}

/** The system's usage while the work runs. */
export async function metered({ system }: PartContext, work: () => Promise<void>): Promise<Usage> {
  const read = startMeter(system.processes);
  await work();
  return read();
}
