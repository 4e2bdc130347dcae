import { describe, expect, it } from "@jest/globals";
import { choosePublicPorts } from "./public-ports.ts";

const config = { apiPort: 0, deskPort: 0, listenHost: "127.0.0.1", copies: 1 };

describe("the ports of API and desk", () => {
  it("are any free ones, one for each copy, where none is set", async () => {
    const { api, desk } = await choosePublicPorts({ ...config, copies: 3 });
    expect(new Set([...api, ...desk]).size).toBe(6);
  });

  it("are ten apart for the copies of one service", async () => {
    const { api } = await choosePublicPorts({ ...config, apiPort: 28_431, copies: 3 });
    expect(api).toEqual([28_431, 28_441, 28_451]);
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
