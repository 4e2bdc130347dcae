import { z } from "zod";
import { flag, readEnv, url } from "../config.ts";

export const SASL_MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"] as const;

/** How a client encrypts its connections to Kafka and proves who it is; files are PEM. */
export const kafkaSecurityShape = {
  KAFKA_SSL: flag(),
  /** The certificate authority of the brokers; the public ones unless given. */
  KAFKA_SSL_CA_FILE: z.string().optional(),
  KAFKA_SSL_CERT_FILE: z.string().optional(),
  KAFKA_SSL_KEY_FILE: z.string().optional(),
  KAFKA_SASL_MECHANISM: z
    .enum(SASL_MECHANISMS, `expected ${SASL_MECHANISMS.join(", ")}`)
    .optional(),
  /** The principal; the client id for OAUTHBEARER. */
  KAFKA_SASL_USERNAME: z.string().optional(),
  /** Its password; the client secret for OAUTHBEARER. */
  KAFKA_SASL_PASSWORD: z.string().optional(),
  /** Where OAUTHBEARER fetches its tokens, by the client credentials grant. */
  KAFKA_SASL_TOKEN_URL: url().optional(),
  KAFKA_SASL_SCOPE: z.string().optional(),
};

const schema = z.object(kafkaSecurityShape);

export type KafkaSecurity = Readonly<z.output<typeof schema>>;

/** The settings of an environment, for programs without a config of their own. @throws `invalid_config` */
export function readKafkaSecurity(env: NodeJS.ProcessEnv): KafkaSecurity {
  return readEnv(schema, env);
}
