import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { queryRows } from "../../../services/platform/db/transaction.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import type { WebhookStack } from "./webhook-stack.ts";

const MAIN = join(import.meta.dirname, "../../../services/webhook-sender/main.ts");

/** A sender in its own process, which a test can kill; killed after the tests at the latest. */
export function spawnSender(stack: WebhookStack, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const sender = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      ...stack.env,
      DATABASE_ROLE: "porting_webhook_sender",
      LOG_LEVEL: "silent",
      ...env,
    },
    stdio: "ignore",
  });
  endAfterTests(() => killSender(sender));
  return sender;
}

/** Kills a sender that still runs. */
export async function killSender(sender: ChildProcess): Promise<void> {
  if (sender.exitCode !== null || sender.signalCode !== null) return;
  sender.kill("SIGKILL");
  await once(sender, "exit");
}

/** Ends all leases now: deliveries left by a crash are otherwise found only when theirs end, after half a minute. */
export async function endLeases({ pool }: WebhookStack): Promise<void> {
  await queryRows(pool, {
    text: "update webhooks.deliveries set lease_until = claimed_at where lease_until is not null",
  });
}
