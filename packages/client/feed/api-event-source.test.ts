import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "@jest/globals";
import { Caller } from "../call/caller.ts";
import { apiEventSource } from "./api-event-source.ts";

const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function sourceOf(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return apiEventSource(new Caller({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "k" }));
}

describe("the live stream of the API", () => {
  it("yields the events of its messages", async () => {
    const source = await sourceOf((response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
      response.end(': hi\n\nid: 1\nevent: x\ndata: {"id":"1"}\n\n');
    });
    const { events } = await source.open(null);
    const ids: string[] = [];
    for await (const { id } of events) ids.push(id);
    expect(ids).toEqual(["1"]);
  });

  it("is not a page that another server answers, which would be opened again for ever", async () => {
    const source = await sourceOf((response) => {
      response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Welcome</h1>");
    });
    await expect(source.open("1")).rejects.toThrow("not an event stream: it is text/html");
  });
});
