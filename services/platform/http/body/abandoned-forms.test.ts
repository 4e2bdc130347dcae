import { request as httpRequest } from "node:http";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";

import {
  date,
  end,
  file,
  FORM_TYPE,
  startFormServer,
  type FormServer,
} from "../../../../test/support/http/form-server.ts";

let server: FormServer;

beforeAll(async () => {
  server = await startFormServer();
});

afterEach(() => server.expectNothingLeft());
afterAll(() => server.stop());

describe("a form with a file", () => {
  it("leaves nothing if it is refused in the end", async () => {
    expect((await server.send(file() + date + end, { kind: "refused" })).code).toBe(
      "invalid_state",
    );
    const query = await fetch(`http://127.0.0.1:${server.port}/v2/things/file?no=1`, {
      method: "PATCH",
      headers: { "Content-Type": FORM_TYPE },
      body: file() + end,
    });
    expect(query.status).toBe(400);
  });

  it("gets no 100 Continue if the path identifies nothing", async () => {
    const answered = new Promise<number>((resolve, reject) => {
      const headers = {
        "Content-Type": FORM_TYPE,
        "Content-Length": 90_000,
        Expect: "100-continue",
      };
      const { port } = server;
      const options = { port, path: "/v2/things/missing", method: "PATCH", headers };
      const request = httpRequest(options, (response) => {
        resolve(response.statusCode ?? 0);
        request.destroy();
      });
      request.on("continue", () => reject(new Error("got 100 Continue")));
      request.on("error", () => undefined);
      request.flushHeaders();
    });
    expect(await answered).toBe(404);
  });

  it("leaves nothing if the client hangs up or stops sending", async () => {
    const headers = { "Content-Type": FORM_TYPE, "Content-Length": 90_000 };
    const options = { port: server.port, path: "/v2/things/file", method: "PATCH", headers };
    for (const end of ["hang up", "fall silent"]) {
      const status = await new Promise<number>((resolve) => {
        const request = httpRequest(options, (response) => resolve(response.statusCode ?? 0));
        request.on("error", () => resolve(0));
        request.write(file("x".repeat(40_000)).slice(0, -2));
        const came = setInterval(() => {
          if (server.incoming().length === 0) return;
          clearInterval(came);
          if (end === "hang up") request.destroy();
        }, 5);
      });
      expect(status).toBe(end === "hang up" ? 0 : 408);
      await server.expectNothingLeft();
    }
  });
});
