import { createServer } from "node:http";
import Router from "@koa/router";
import Koa from "koa";
import { listen } from "../../../services/platform/http/routing/listen.ts";

// The lowest cost of a request on this machine: a Koa server with one route that answers {}. It prints its port.
const router = new Router();
router.get("/", (context) => {
  context.body = {};
});
const answer = new Koa().use(router.routes()).callback();
const server = createServer((request, response) => void answer(request, response));
console.log(await listen(server, { host: "127.0.0.1", port: 0 }));
process.stdin.resume().on("end", () => process.exit());
