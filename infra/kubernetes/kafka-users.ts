import { Document, isCollection, visit } from "yaml";
import { z } from "zod";
import { carriersShape, providerNamesIn } from "../../services/domain/carrier/read-carriers.ts";
import { retrySchedule } from "../../services/messages/retry-schedule.ts";
import { readEnv } from "../../services/platform/config.ts";
import { KAFKA_ADMIN } from "../local-stack/logins.ts";
import { planRights, type Right, type RightsOptions } from "../topics/ensure-rights.ts";

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

const HEADER = `# Kafka's users, made by \`npm run -s kafka-users\` of services/messages/bus/topic-rights.ts, the carriers' files and
# TOPIC_PREFIX, WEBHOOK_RETRY_SCHEDULE and CARRIERS_DIR: make it again where these differ. Strimzi takes away what is not here.
`;
const ON_ONE_LINE: ReadonlySet<string> = new Set([
  "labels",
  "authentication",
  "resource",
  "operations",
]);

/** The users as YAML documents. */
export function writeKafkaUsers(users: readonly KafkaUser[]): string {
  return HEADER + users.map(documentOf).join("---\n");
}

function documentOf(user: KafkaUser): string {
  const document = new Document(user);
  visit(document, {
    Pair: (_, { key, value }) => {
      if (isCollection(value) && ON_ONE_LINE.has(String(key))) value.flow = true;
    },
  });
  // Padded as the formatter does: braces, not brackets.
  return document.toString({ lineWidth: 0 }).replace(/\[ (.*) \]/g, "[$1]");
}

const schema = z.object({
  TOPIC_PREFIX: z.string().default(""),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule(),
  ...carriersShape,
});

/** What Kafka's rights depend on. @throws `invalid_config` with every problem at once */
export function readConfig(env: NodeJS.ProcessEnv): RightsOptions {
  const config = readEnv(schema, env);
  return {
    prefix: config.TOPIC_PREFIX,
    retrySchedule: config.WEBHOOK_RETRY_SCHEDULE.map(({ name }) => name).join(","),
    providers: providerNamesIn(config.CARRIERS_DIR),
  };
}
