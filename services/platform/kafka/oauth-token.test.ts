import { describe, expect, it } from "@jest/globals";
import { createTokenSource } from "./oauth-token.ts";

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
