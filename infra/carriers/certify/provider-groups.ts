import type { Admin } from "kafkajs";
import { fetchCommitted } from "../../../services/platform/kafka/group-positions.ts";
import type { RawMessage } from "../../../services/platform/kafka/raw-message.ts";

/** The consumer groups of a provider's integration. */
export interface ProviderGroups {
  /** Whether one of them has committed the message. */
  hasCommitted(message: RawMessage): Promise<boolean>;
  /** Whether one of them has a member. */
  hasMember(): Promise<boolean>;
}

/** All groups whose names begin so. */
export function groupsNamed(admin: Admin, beginning: string): ProviderGroups {
  const groups = async (): Promise<string[]> => {
    const all = (await admin.listGroups()).groups;
    return all.map(({ groupId }) => groupId).filter((name) => name.startsWith(beginning));
  };
  return {
    hasCommitted: async ({ topic, partition, offset }) => {
      const names = await groups();
      const committed = await Promise.all(names.map((name) => fetchCommitted(admin, name, topic)));
      return committed.some((offsets) => (offsets.get(partition) ?? 0) > offset);
    },
    hasMember: async () => {
      const names = await groups();
      if (names.length === 0) return false;
      const { groups: described } = await admin.describeGroups(names);
      return described.some(({ members }) => members.length > 0);
    },
  };
}
