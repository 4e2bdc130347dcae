import { describe, expect, it } from "@jest/globals";
import { letterWarnings } from "./config.ts";

const https = { PUBLIC_API_URL: "https://api.example.com", LOA_RESPORG_ID: "ABC12" };
const NAMELESS = "Number Porting Service";

describe("what letters lack", () => {
  it("is said where customers come by https: the provider's name, and the RespOrg", () => {
    expect(letterWarnings({ ...https, LOA_CARRIER_NAME: "Example Telecom" })).toEqual([]);
    expect(letterWarnings({ ...https, LOA_CARRIER_NAME: NAMELESS })).toEqual([
      expect.stringContaining("LOA_CARRIER_NAME is not set"),
    ]);
    const none = { ...https, LOA_CARRIER_NAME: "Example Telecom", LOA_RESPORG_ID: undefined };
    expect(letterWarnings(none)).toEqual([expect.stringContaining("LOA_RESPORG_ID is not set")]);
  });

  it("is not said to who tries it out", () => {
    const local = { PUBLIC_API_URL: "http://127.0.0.1:3000", LOA_RESPORG_ID: undefined };
    expect(letterWarnings({ ...local, LOA_CARRIER_NAME: NAMELESS })).toEqual([]);
  });
});
