import { AppError } from "../errors.ts";

export interface KafkaPlace {
  readonly brokers: readonly string[];
  /** Undefined without a login. */
  readonly user: string | undefined;
}

/** What a command line program says where Kafka refused it or was not reached; any other error as it is. */
export function kafkaFault(error: unknown, { brokers, user }: KafkaPlace): unknown {
  if (!(error instanceof Error) || !error.name.startsWith("KafkaJS")) return error;
  const at = brokers.join(",");
  const who = user === undefined ? "without a user" : `as ${user}`;
  const detail = /SASL|Authentication/i.test(`${error.name} ${error.message}`)
    ? `Kafka at ${at} refuses the login ${who}: ${error.message}`
    : isRefusal(error)
      ? `Kafka at ${at} does not let this program, ${who}, do what it has to: ${error.message}`
      : `Kafka at ${at} cannot be reached ${who}: ${error.message}`;
  return new AppError("invalid_config", detail, { cause: error });
}

/** A user without rights on a group gets the answer that its coordinator is not found. */
function isRefusal({ name, message }: Error): boolean {
  return name === "KafkaJSGroupCoordinatorNotFound" || /not authorized/i.test(message);
}
