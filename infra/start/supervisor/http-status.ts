import { request } from "node:http";

/** The status of a GET, 0 without an answer within 3 s; keeps no connection open. */
export function httpStatus(url: string): Promise<number> {
  return new Promise((resolve) => {
    const probe = request(url, { agent: false, timeout: 3_000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    probe.once("timeout", () => probe.destroy());
    probe.once("error", () => resolve(0));
    probe.end();
  });
}
