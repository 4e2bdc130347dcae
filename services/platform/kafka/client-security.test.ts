import { describe, expect, it } from "@jest/globals";
import { clientSecurity, createTokenSource, readKafkaSecurity } from "./client-security.ts";

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

const options = {
  url: "https://identity.example.com/token",
  clientId: "api",
  clientSecret: "s:cret",
  scope: "kafka",
};

/** An endpoint that answers with `answers`, one after the other, and remembers what it was asked. */
function endpoint(...answers: readonly Response[]) {
  const asked: RequestInit[] = [];
  const left = [...answers];
  const request = (_url: unknown, init: RequestInit = {}): Promise<Response> => {
    asked.push(init);
    const answer = left.shift();
    return answer === undefined ? Promise.reject(new Error("closed")) : Promise.resolve(answer);
  };
  return { asked, request: request as typeof fetch };
}

const token = (access_token: string, expires_in: number): Response =>
  Response.json({ access_token, expires_in });

describe("createTokenSource", () => {
  it("asks by the client credentials grant and keeps the token", async () => {
    const { asked, request } = endpoint(token("first", 3_600));
    const source = createTokenSource(options, request);
    expect(await Promise.all([source(), source()])).toEqual(["first", "first"]);
    expect(asked).toHaveLength(1);
    const authorization = `Basic ${Buffer.from("api:s%3Acret").toString("base64")}`;
    expect(asked[0]?.headers).toEqual({ authorization });
    const sent = new URLSearchParams({ grant_type: "client_credentials", scope: "kafka" });
    expect(asked[0]?.body).toEqual(sent);
  });

  it("fetches another once the first has nearly expired", async () => {
    const { request } = endpoint(token("first", 0.000_001), token("second", 3_600));
    const source = createTokenSource(options, request);
    expect(await source()).toBe("first");
    expect(await source()).toBe("second");
  });

  it("reports a fault that is retried, without secret or answer, and asks again", async () => {
    const refused = new Response("s:cret is wrong", { status: 401 });
    const odd = Response.json({ token: "hidden" });
    const { request } = endpoint(refused, odd, token("third", 3_600));
    const source = createTokenSource(options, request);
    for (const why of ["Error: status 401", "an answer without a token"]) {
      await expect(source()).rejects.toMatchObject({
        retriable: true,
        message: `No token from KAFKA_SASL_TOKEN_URL: ${why}`,
      });
    }
    expect(await source()).toBe("third");
  });
});
