import {
  groupsOf,
  providerGroup,
  providerGroups,
  providerUser,
  SERVICE_USERS,
  topicRights,
  type Party,
} from "../../services/messages/bus/topic-rights.ts";
import { parseRetrySchedule } from "../../services/messages/retry-schedule.ts";

export interface RightsOptions {
  readonly prefix: string;
  readonly retrySchedule: string;
  /** The names of the providers. */
  readonly providers: readonly string[];
}

/** One thing that one user may do. */
export interface Right {
  readonly user: string;
  readonly operation: "read" | "write" | "describe" | "idempotent write";
  readonly resource: "topic" | "group" | "cluster";
  readonly name: string;
  /** Whether it holds for every name that begins so. */
  readonly isPrefix: boolean;
}

const CLUSTER = "kafka-cluster";
const ANY = "*";

/** The rights of every service and provider; who is not named here has none. */
export function planRights(options: RightsOptions): Right[] {
  return [...onTopics(options), ...onGroups(options), ...toLook(options)].sort(byUser);
}

function onTopics({ prefix, retrySchedule, providers }: RightsOptions): Right[] {
  const usersOf = (party: Party): string[] =>
    party === "providers" ? providers.map(providerUser) : [party];
  const rights = [...topicRights(parseRetrySchedule(retrySchedule))].flatMap(
    ([topic, { write, read }]) =>
      [
        { parties: write, operation: "write" as const },
        { parties: read, operation: "read" as const },
      ].flatMap(({ parties, operation }) =>
        parties.flatMap(usersOf).map((user) => onTopic(user, operation, prefix + topic)),
      ),
  );
  const writers = new Set(rights.filter(isWrite).map(({ user }) => user));
  return [...rights, ...[...writers].map(idempotence)];
}

function isWrite({ operation }: Right): boolean {
  return operation === "write";
}

function onTopic(user: string, operation: "read" | "write", name: string): Right {
  return { user, operation, resource: "topic", name, isPrefix: false };
}

/** Brokers before 3.0 ask for it of idempotent producers. */
function idempotence(user: string): Right {
  const operation = "idempotent write";
  return { user, operation, resource: "cluster", name: CLUSTER, isPrefix: false };
}

function onGroups({ prefix, retrySchedule, providers }: RightsOptions): Right[] {
  const right = { operation: "read", resource: "group" } as const;
  const services = [...groupsOf(parseRetrySchedule(retrySchedule))].flatMap(([user, groups]) =>
    groups.map((group) => ({ ...right, user, name: prefix + group, isPrefix: false })),
  );
  const integrations = providers.flatMap((provider) =>
    providerGroups(provider).map((group) => ({
      ...right,
      user: providerUser(provider),
      name: prefix + group,
      isPrefix: false,
    })),
  );
  return [...services, ...integrations];
}

/** What earlier versions granted and this one takes back: every group that begins with a provider's. */
export function planWithdrawals({ prefix, providers }: RightsOptions): Right[] {
  return providers.map((provider) => ({
    user: providerUser(provider),
    operation: "read",
    resource: "group",
    name: prefix + providerGroup(provider),
    isPrefix: true,
  }));
}

/**
 * A service compares how far every group has read with its database, and the desk shows it: names and offsets,
 * no messages.
 */
function toLook({ prefix }: RightsOptions): Right[] {
  const groups = prefix === "" ? { name: ANY, isPrefix: false } : { name: prefix, isPrefix: true };
  return SERVICE_USERS.flatMap((user) => [
    ...["porting.", "carriers."].map((room): Right => {
      const name = prefix + room;
      return { user, operation: "describe", resource: "topic", name, isPrefix: true };
    }),
    { user, operation: "describe", resource: "group", ...groups },
  ]);
}

function byUser(one: Right, other: Right): number {
  return one.user < other.user ? -1 : Number(one.user > other.user);
}

/** A line for the terminal, such as `event-log: read topic porting.events`. */
export function describeRight({ user, operation, resource, name, isPrefix }: Right): string {
  return `${user}: ${operation} ${resource} ${name}${isPrefix && name !== ANY ? "*" : ""}`;
}
