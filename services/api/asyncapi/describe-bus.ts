import { describeChannels } from "./describe-channels.ts";
import { describeMessages, HEADER_SCHEMAS } from "./describe-messages.ts";
import { describeOperations } from "./describe-operations.ts";
import { AUDIENCES } from "./topic-texts.ts";

const DESCRIPTION = `The topics by which the services of the Number Porting Service, carrier integrations and analysts work together.

Values are Avro in the Confluent wire format: a zero byte, the schema's id in four bytes, the record. The subject is
\`<topic>-value\`, its compatibility \`FULL_TRANSITIVE\`: fields are added as nullable with a default, and every
enumeration has \`unrecognized\` as its first symbol and default, which stands for one that a reader's copy of the schema
does not know. The registry speaks Confluent's protocol; the operator gives its address (\`schema_registry_url\` in
credentials.json of \`npm start\`). Topics and subjects are made at deployment; clients neither create nor register any.

Order is kept within a key. The key decides the partition by murmur2, so librdkafka needs the partitioner
\`murmur2_random\`. Every message may be repeated. A message has at most 1,900,000 bytes, headers included; a batch
on a topic that carriers write at most 64 KiB, a key 255 bytes, a record 64 headers.

Analysts read \`porting.events\` with a user that the operator makes, with the rights to read the topic and a group of
their own; no operation below is theirs.

Channels tagged \`internal\` are between the services: they are here for those who operate them, and may change in every
release. Partitions and retention are the defaults, which a deployment may change.`;

const LOGIN =
  "Each service and each provider has a Kafka user of its own, `provider-<provider>` for an integration, and ACLs give it the operations below. The operator says which mechanism the brokers use; OAUTHBEARER and client certificates are possible too.";

/** Which deployment the document is for. */
export interface BusPlace {
  /** Precedes every topic's name. */
  readonly topicPrefix: string;
}

/** The AsyncAPI 3 document of every topic: its messages, settings, writers and readers. */
export function describeBus({ topicPrefix }: BusPlace) {
  return {
    asyncapi: "3.0.0",
    id: "urn:number-porting-service:bus",
    info: {
      title: "Number Porting Bus",
      version: "1.0.0",
      description: DESCRIPTION,
      contact: { name: "The operators of the platform" },
      license: { name: "Proprietary" },
      tags: Object.entries(AUDIENCES).map(([name, description]) => ({ name, description })),
    },
    defaultContentType: "avro/binary",
    servers: {
      kafka: {
        host: "{brokers}",
        protocol: "kafka",
        title: "Kafka",
        description: `The brokers, encrypted where the operator says so. ${LOGIN}`,
        variables: {
          brokers: {
            description: "Bootstrap servers; `kafka_brokers` in credentials.json of `npm start`",
            default: "localhost:9092",
          },
        },
        security: Object.keys(MECHANISMS).map((name) => ({
          $ref: `#/components/securitySchemes/${name}`,
        })),
      },
    },
    channels: describeChannels(topicPrefix),
    operations: describeOperations(topicPrefix),
    components: {
      messages: describeMessages(),
      schemas: HEADER_SCHEMAS,
      securitySchemes: MECHANISMS,
    },
  };
}

const MECHANISMS = {
  scramSha512: {
    type: "scramSha512",
    description: "SASL SCRAM-SHA-512, the mechanism of `npm start` and of the containers",
  },
  scramSha256: { type: "scramSha256", description: "SASL SCRAM-SHA-256" },
  plain: { type: "plain", description: "SASL PLAIN, only over an encrypted connection" },
};
