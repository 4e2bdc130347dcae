import kafkajs, { type AclEntry, type Admin } from "kafkajs";
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
import { AppError } from "../../services/platform/errors.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import { patiently } from "../../services/platform/kafka/kafka-faults.ts";
import type { KafkaSecurity } from "../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { until } from "../start/supervisor/until.ts";

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

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

const PATIENCE_MS = 60_000;
const RETRY = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 5 };

const RESOURCES = {
  topic: AclResourceTypes.TOPIC,
  group: AclResourceTypes.GROUP,
  cluster: AclResourceTypes.CLUSTER,
} as const satisfies Record<Right["resource"], kafkajs.AclResourceTypes>;

const OPERATIONS = {
  read: AclOperationTypes.READ,
  write: AclOperationTypes.WRITE,
  describe: AclOperationTypes.DESCRIBE,
  "idempotent write": AclOperationTypes.IDEMPOTENT_WRITE,
} as const satisfies Record<Right["operation"], kafkajs.AclOperationTypes>;

export interface RightsPlace {
  readonly brokers: readonly string[];
  readonly security: KafkaSecurity;
}

/**
 * Grants every right of the plan and waits until they are in force; returns a line for each. Grants what is there
 * already once more, and takes away what earlier versions granted too much. A right may be granted before its topic is created.
 * @throws `stack_failed` where the broker has no authorizer, or refuses
 */
export async function ensureRights(options: RightsOptions & RightsPlace): Promise<string[]> {
  const { brokers, security } = options;
  const rights = planRights(options);
  const acl = rights.map(toAcl);
  const withdrawn = planWithdrawals(options).map(toAcl);
  const log = createLogger("topics", "silent");
  const grant = async (): Promise<void> => {
    const admin = createKafka({ brokers, security, clientId: "topics", retry: RETRY, log }).admin();
    try {
      await admin.connect();
      await admin.createAcls({ acl });
      await admin.deleteAcls({ filters: withdrawn });
      await untilInForce(admin, { acl, withdrawn });
    } finally {
      await admin.disconnect();
    }
  };
  await patiently(grant, PATIENCE_MS).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError("stack_failed", `Kafka did not grant the rights: ${why}`, { cause });
  });
  return rights.map(describeRight);
}

/**
 * A broker obeys a right later than the controller confirms it: after many new topics by seconds, since it applies all
 * changes in their order. Until then it refuses a service its topics. Of several brokers, one is asked.
 */
async function untilInForce(
  admin: Admin,
  {
    acl,
    withdrawn,
  }: { readonly acl: readonly AclEntry[]; readonly withdrawn: readonly AclEntry[] },
): Promise<void> {
  const isInForce = async (entry: AclEntry): Promise<boolean> =>
    (await admin.describeAcls(entry)).resources.length > 0;
  const isGone = async (entry: AclEntry): Promise<boolean> => !(await isInForce(entry));
  const areInForce = async (): Promise<boolean> =>
    (await Promise.all([...acl.map(isInForce), ...withdrawn.map(isGone)])).every(Boolean);
  await until(areInForce, { timeoutMs: PATIENCE_MS, what: "the broker to obey the rights" });
}

function toAcl({ user, operation, resource, name, isPrefix }: Right): AclEntry {
  return {
    principal: `User:${user}`,
    host: "*",
    permissionType: AclPermissionTypes.ALLOW,
    operation: OPERATIONS[operation],
    resourceType: RESOURCES[resource],
    resourceName: name,
    resourcePatternType: isPrefix ? ResourcePatternTypes.PREFIXED : ResourcePatternTypes.LITERAL,
  };
}
