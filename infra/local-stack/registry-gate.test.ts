import { expect, it } from "@jest/globals";
import { startRegistryGate } from "./registry-gate.ts";
import { CONFLUENT_API } from "./registry-login.ts";

it("tells who may only read which settings have the login that may register", async () => {
  const gate = await startRegistryGate({
    host: "127.0.0.1",
    port: 0,
    passwords: { reader: "of-reader", writer: "of-writer" },
    upstream: () => "http://127.0.0.1:1",
  });
  try {
    const answer = await fetch(`http://127.0.0.1:${gate.port}${CONFLUENT_API}/config`, {
      method: "PUT",
      headers: { authorization: `Basic ${btoa("reader:of-reader")}` },
    });
    expect(await answer.json()).toEqual({
      error_code: 403,
      message: expect.stringMatching(
        /only the user `writer`.*SCHEMA_REGISTRY_USERNAME.*SCHEMA_REGISTRY_PASSWORD/i,
      ),
    });
  } finally {
    await gate.stop();
  }
});
