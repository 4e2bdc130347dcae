import type { Plan } from "../plan.ts";
import type { Receiver } from "../receiver.ts";
import type { WebhookSystem } from "../system.ts";
import { startMeter, type Usage } from "../usage.ts";

/** What a part measures with. */
export interface PartContext {
  readonly system: WebhookSystem;
  readonly receiver: Receiver;
  readonly plan: Plan;
  readonly log: (line: string) => void;
  /** Told of every measured stretch. */
  readonly onUsage: (usage: Usage) => void;
}

/** What the system uses while the work runs. */
export async function metered(
  { system, receiver, onUsage }: PartContext,
  work: () => Promise<void>,
): Promise<Usage> {
  const read = startMeter(system.processes, [receiver.pid, system.publisherPid]);
  await work();
  const usage = read();
  onUsage(usage);
  return usage;
}
