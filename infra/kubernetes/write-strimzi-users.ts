import { Document, isCollection, visit } from "yaml";
import type { KafkaUser } from "./strimzi-users.ts";

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
