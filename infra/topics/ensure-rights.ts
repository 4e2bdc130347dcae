import kafkajs, { type AclEntry, type Admin } from "kafkajs";
import { AppError } from "../../services/platform/errors.ts";
import { createKafka } from "../../services/platform/kafka/kafka-client.ts";
import type { KafkaSecurity } from "../../services/platform/kafka/client-security.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { patiently } from "../../services/platform/kafka/kafka-faults.ts";
import { until } from "../start/supervisor/until.ts";
import {
  describeRight,
  planRights,
  planWithdrawals,
  type Right,
  type RightsOptions,
} from "./plan-rights.ts";

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
