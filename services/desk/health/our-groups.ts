import { groupsOf } from "../../messages/bus/topic-rights.ts";

const RETRY_GROUP = "webhook-retry-";
/** Keeps no offsets, but reads its topics from the start whenever it joins. */
const COMMITS_NO_OFFSETS = "sandbox-carrier";
/** The schedule of the retries, by which their groups are named, is the sender's own. */
const NAMED = new Set([...groupsOf([]).values()].flat());

/** Whether a consumer group, without the deployment's prefix, is one of our services'. */
export function isOurGroup(group: string): boolean {
  return group !== COMMITS_NO_OFFSETS && (NAMED.has(group) || isRetryGroup(group));
}

/** Whether the group's lag is the timers that have yet to fire. */
export function isRetryGroup(group: string): boolean {
  return group.startsWith(RETRY_GROUP);
}
