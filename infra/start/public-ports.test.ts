import { describe, expect, it } from "@jest/globals";
import { eventually } from "../../test/support/eventually.ts";
import { choosePublicPorts } from "./public-ports.ts";

const config = { apiPort: 0, deskPort: 0, listenHost: "127.0.0.1", copies: 1 };

describe("the ports of API and desk", () => {
  it("are any free ones, one for each copy, where none is set", async () => {
    const { api, desk } = await choosePublicPorts({ ...config, copies: 3 });
    expect(new Set([...api, ...desk]).size).toBe(6);
  });

  it("are ten apart for the copies of one service", async () => {
    const { first, api } = await eventually(async () => {
      const [free] = (await choosePublicPorts(config)).api;
      const chosen = await choosePublicPorts({ ...config, apiPort: free, copies: 3 });
      return { first: free, api: chosen.api };
    });
    expect(api).toEqual([first, first + 10, first + 20]);
  });

  it.each([
    { apiPort: 3_000, deskPort: 3_010, why: "these must not be the same" },
    { apiPort: 65_530, deskPort: 0, why: "the highest is 65535" },
  ])("are refused where $why", async ({ apiPort, deskPort, why }) => {
    const chosen = choosePublicPorts({ ...config, apiPort, deskPort, copies: 2 });
    await expect(chosen).rejects.toMatchObject({ code: "invalid_config" });
    await expect(chosen).rejects.toThrow(why);
  });
});
