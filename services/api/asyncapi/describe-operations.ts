import {
  providerGroups,
  providerUser,
  topicRights,
  type Party,
} from "../../messages/bus/topic-rights.ts";
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from "../../messages/retry-schedule.ts";
import { BUS_CHANNELS, messageOf, type BusChannel } from "./describe-channels.ts";
import { AUDIENCES } from "./topic-texts.ts";

type Action = "send" | "receive";

const PROVIDER = "<provider>";
const RIGHTS = topicRights(parseRetrySchedule(DEFAULT_RETRY_SCHEDULE));

/** The `operations` of the AsyncAPI document: one per party and topic that it writes or reads. */
export function describeOperations(topicPrefix: string) {
  const all = BUS_CHANNELS.flatMap((channel) => {
    const rights = RIGHTS.get(channel.example);
    if (rights === undefined) throw new Error(`Nobody has rights on ${channel.example}.`);
    return [
      ...rights.write.map((party) => describe(channel, { party, action: "send", topicPrefix })),
      ...rights.read.map((party) => describe(channel, { party, action: "receive", topicPrefix })),
    ];
  });
  return Object.fromEntries(all);
}

interface Access {
  readonly party: Party;
  readonly action: Action;
  readonly topicPrefix: string;
}

function describe(channel: BusChannel, { party, action, topicPrefix }: Access) {
  const { id, address, text } = channel;
  const isProvider = party === "providers";
  const user = isProvider ? providerUser(PROVIDER) : party;
  const verb = action === "send" ? "writes" : "reads";
  const who = isProvider ? "A carrier integration" : party;
  const groups = providerGroups(PROVIDER).map((group) => `\`${topicPrefix}${group}\``);
  const operation = {
    action,
    channel: { $ref: `#/channels/${id}` },
    title: `${who} ${verb} ${address}`,
    summary: text.carries,
    description: `As the Kafka user \`${user}\`.${relayed(party, text.from)}`,
    messages: [{ $ref: `#/channels/${id}/messages/${messageOf(channel)}` }],
    tags: [{ name: text.audience, description: AUDIENCES[text.audience] }],
    ...(isProvider && action === "receive"
      ? { bindings: { kafka: groupBinding(`One of ${groups.join(", ")}`) } }
      : {}),
    "x-kafka-user": user,
  };
  return [`${party}.${action}.${id}`, operation] as const;
}

/** Services write their messages to the outbox, in the transaction of the change. */
function relayed(party: Party, from: string): string {
  return party === "outbox-relay" ? ` Publishes from the outbox what others wrote: ${from}.` : "";
}

function groupBinding(description: string) {
  return { groupId: { type: "string", description }, bindingVersion: "0.5.0" };
}
