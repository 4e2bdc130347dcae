import { KAFKA_ADMIN } from "../local-stack/kafka-users.ts";
import { planRights, type Right, type RightsOptions } from "../topics/plan-rights.ts";

/** The label by which Strimzi's User Operator knows its users; the name of the cluster in examples/kafka.yaml. */
const CLUSTER = { "strimzi.io/cluster": "porting" };

type Operation = Right["operation"] | "create" | "alter" | "delete" | "describe configs";

/** As Strimzi spells them. */
const OPERATIONS = {
  read: "Read",
  write: "Write",
  describe: "Describe",
  "idempotent write": "IdempotentWrite",
  create: "Create",
  alter: "Alter",
  delete: "Delete",
  "describe configs": "DescribeConfigs",
} as const satisfies Record<Operation, string>;

type KafkaResource =
  | { readonly type: "cluster" }
  | {
      readonly type: "topic" | "group";
      readonly name: string;
      readonly patternType: "literal" | "prefix";
    };

export interface KafkaUser {
  readonly apiVersion: "kafka.strimzi.io/v1";
  readonly kind: "KafkaUser";
  readonly metadata: { readonly name: string; readonly labels: typeof CLUSTER };
  readonly spec: {
    readonly authentication: { readonly type: "scram-sha-512" };
    readonly authorization: {
      readonly type: "simple";
      readonly acls: readonly {
        readonly resource: KafkaResource;
        readonly operations: readonly string[];
      }[];
    };
  };
}

interface Granted extends Omit<Right, "operation"> {
  readonly operation: Operation;
}

/** A KafkaUser of Strimzi for each service, each provider and the administrator, with the rights of the plan. */
export function kafkaUsers(options: RightsOptions): KafkaUser[] {
  const rights = [...planRights(options), ...rightsOfJobs(options)];
  return [...grouped(rights, ({ user }) => user)].map(([name, own]) => ({
    apiVersion: "kafka.strimzi.io/v1",
    kind: "KafkaUser",
    metadata: { name, labels: CLUSTER },
    spec: {
      authentication: { type: "scram-sha-512" },
      authorization: { type: "simple", acls: aclsOf(own) },
    },
  }));
}

/**
 * What `npm run topics`, `backup reconcile` and `events verify` do: partitions that are added alter a topic, and a group of
 * its own is deleted after a reading.
 */
function rightsOfJobs({ prefix }: Pick<RightsOptions, "prefix">): Granted[] {
  const user = KAFKA_ADMIN;
  const topics = ["porting.", "carriers."].flatMap((room) =>
    (["create", "alter", "describe", "describe configs", "read"] as const).map(
      (operation): Granted => ({
        user,
        operation,
        resource: "topic",
        name: prefix + room,
        isPrefix: true,
      }),
    ),
  );
  const groups = (["describe", "read", "delete"] as const).map((operation): Granted => ({
    user,
    operation,
    resource: "group",
    name: "*",
    isPrefix: false,
  }));
  return [...topics, ...groups];
}

function aclsOf(rights: readonly Granted[]) {
  const byResource = grouped(rights, ({ resource, name, isPrefix }) =>
    JSON.stringify([resource, name, isPrefix]),
  );
  return [...byResource.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    return {
      resource: resourceOf(first),
      operations: own.map(({ operation }) => OPERATIONS[operation]),
    };
  });
}

function resourceOf({ resource, name, isPrefix }: Granted): KafkaResource {
  if (resource === "cluster") return { type: "cluster" };
  return { type: resource, name, patternType: isPrefix ? "prefix" : "literal" };
}

function grouped(
  rights: readonly Granted[],
  keyOf: (right: Granted) => string,
): ReadonlyMap<string, readonly Granted[]> {
  const groups = new Map<string, Granted[]>();
  for (const right of rights) {
    const key = keyOf(right);
    groups.set(key, [...(groups.get(key) ?? []), right]);
  }
  return groups;
}
