import { setTimeout as pause } from "node:timers/promises";
import type { Admin } from "kafkajs";
import { AppError } from "../errors.ts";

const POLL_MS = 500;
const WITHOUT_MEMBERS = ["Empty", "Dead"];

/** Waits until none of the groups has a member; a killed one is remembered for its session. @throws `invalid_state` */
export async function requireEmptyGroups(
  admin: Admin,
  groups: readonly string[],
  timeoutMs: number,
): Promise<void> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const { groups: described } = await admin.describeGroups([...groups]);
    const joined = described.filter(({ state }) => !WITHOUT_MEMBERS.includes(state));
    if (joined.length === 0) return;
    if (performance.now() > until) {
      const names = joined.map(({ groupId }) => groupId).join(", ");
      throw new AppError("invalid_state", `Stop the services first: ${names} still has members.`);
    }
    await pause(POLL_MS);
  }
}

/** By partition, what the group has committed; a partition without a commit is not in it. */
export async function fetchCommitted(
  admin: Admin,
  group: string,
  topic: string,
): Promise<Map<number, number>> {
  const [found] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
  return new Map(
    (found?.partitions ?? [])
      .map(({ partition, offset }) => [partition, Number(offset)] as const)
      .filter(([, offset]) => offset >= 0),
  );
}

/** Commits offsets for a group without members, also backwards. */
export async function commitPositions(
  admin: Admin,
  group: string,
  topic: string,
  offsets: ReadonlyMap<number, number>,
): Promise<void> {
  const partitions = [...offsets].map(([partition, offset]) => ({
    partition,
    offset: String(offset),
  }));
  await admin.setOffsets({ groupId: group, topic, partitions });
}
