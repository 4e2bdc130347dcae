import { describe, expect, it } from "@jest/globals";
import { clientSecurity } from "./client-security.ts";
import { readKafkaSecurity } from "./security-config.ts";

const of = (env: NodeJS.ProcessEnv) => clientSecurity(readKafkaSecurity(env));
const login = { KAFKA_SASL_USERNAME: "api", KAFKA_SASL_PASSWORD: "s3cret" };

describe("clientSecurity", () => {
  it("neither encrypts nor logs in unless it is configured", () => {
    expect(of({})).toEqual({ ssl: false });
    expect(of({ KAFKA_SSL: "true" })).toEqual({ ssl: {} });
  });

  it("logs in by each mechanism", () => {
    const [username, password] = ["api", "s3cret"];
    for (const mechanism of ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]) {
      const sasl = { mechanism: mechanism.toLowerCase(), username, password };
      expect(of({ ...login, KAFKA_SASL_MECHANISM: mechanism })).toEqual({ ssl: false, sasl });
    }
    const token = { KAFKA_SASL_TOKEN_URL: "https://identity.example.com/token" };
    expect(of({ ...login, ...token, KAFKA_SASL_MECHANISM: "OAUTHBEARER" }).sasl).toEqual({
      mechanism: "oauthbearer",
      oauthBearerProvider: expect.any(Function),
    });
  });

  it("names everything that is missing or has no effect, and no value", () => {
    const faulty: readonly (readonly [NodeJS.ProcessEnv, readonly string[]])[] = [
      [{ KAFKA_SASL_MECHANISM: "PLAIN" }, ["USERNAME is required", "PASSWORD is required"]],
      [{ ...login, KAFKA_SASL_MECHANISM: "OAUTHBEARER" }, ["TOKEN_URL is required"]],
      [login, ["USERNAME needs KAFKA_SASL_MECHANISM", "PASSWORD needs KAFKA_SASL_MECHANISM"]],
      [{ KAFKA_SSL_CA_FILE: "/ca.pem" }, ["CA_FILE needs KAFKA_SSL=true"]],
      [{ KAFKA_SSL: "true", KAFKA_SSL_KEY_FILE: "/key.pem" }, ["together or not at all"]],
      [{ KAFKA_SSL: "true", KAFKA_SSL_CA_FILE: "/none.pem" }, ["the file cannot be read"]],
      [{ KAFKA_SASL_MECHANISM: "GSSAPI" }, ["expected PLAIN, SCRAM-SHA-256"]],
    ];
    for (const [env, faults] of faulty) {
      for (const fault of faults) {
        expect(() => of(env)).toThrow(
          expect.objectContaining({
            code: "invalid_config",
            message: expect.stringContaining(fault),
          }),
        );
      }
      expect(() => of(env)).not.toThrow("s3cret");
    }
  });
});
