import { describe, expect, it } from "@jest/globals";
import {
  chooseAccess,
  chooseDesk,
  isOnThisMachine,
  whyNoAccess,
  type LocalProduct,
} from "./access.ts";

const LOGIN = { url: "https://api.example.com", key: "login" };
const LOCAL: LocalProduct = {
  access: { url: "http://127.0.0.1:3000", key: "local" },
  deskUrl: "http://127.0.0.1:3001",
  deskToken: "token",
};

describe("the access to the API", () => {
  it("is that of the variables, else the login, else the local npm start", () => {
    const env = { NPS_API_URL: "https://env.example.com/", NPS_API_KEY: "env" };
    const all = { env, login: LOGIN, local: LOCAL };
    expect(chooseAccess(all)).toEqual({ url: "https://env.example.com", key: "env" });
    expect(chooseAccess({ ...all, env: {} })).toEqual(LOGIN);
    expect(chooseAccess({ env: {}, login: null, local: LOCAL })).toEqual(LOCAL.access);
    expect(chooseAccess({ env: {}, login: null, local: null })).toBeNull();
  });

  it("takes the address that a variable does not give from the others; an empty one gives nothing", () => {
    const env = { NPS_API_KEY: "env", NPS_API_URL: "" };
    expect(chooseAccess({ env, login: LOGIN, local: null })).toEqual({ ...LOGIN, key: "env" });
    expect(chooseAccess({ env, login: null, local: null })).toBeNull();
  });

  it("takes a kept key only for its own address", () => {
    const at = (NPS_API_URL: string) =>
      chooseAccess({ env: { NPS_API_URL }, login: LOGIN, local: LOCAL });
    expect(at("https://other.example.com")).toBeNull();
    expect(at(`${LOGIN.url}/`)).toEqual(LOGIN);
    expect(at(LOCAL.access.url)).toEqual(LOCAL.access);
  });
});

describe("no access", () => {
  const env = { NPS_API_URL: "https://me:pw@other.example.com" };

  it("names the address that the kept key belongs to, not the one that was asked for", () => {
    const text = whyNoAccess({ env, login: LOGIN, local: LOCAL });
    expect(text).toContain(`belongs to ${LOGIN.url}, and NPS_API_URL`);
    expect(text).not.toContain("pw");
    expect(whyNoAccess({ env, login: null, local: LOCAL })).toContain(LOCAL.access.url);
  });

  it("is without a key elsewhere", () => {
    expect(whyNoAccess({ env, login: null, local: null })).toMatch(/^There is no key/);
  });
});

describe("the desk", () => {
  it("is the local one only beside the local API", () => {
    const desk = { url: LOCAL.deskUrl, token: LOCAL.deskToken };
    expect(chooseDesk({ env: {}, local: LOCAL }, LOCAL.access)).toEqual(desk);
    expect(chooseDesk({ env: {}, local: LOCAL }, LOGIN)).toBeNull();
  });

  it("is that of the variables, if both are set", () => {
    const env = { NPS_DESK_URL: "https://desk.example.com/", NPS_DESK_TOKEN: "t" };
    expect(chooseDesk({ env, local: null }, LOGIN)).toEqual({
      url: "https://desk.example.com",
      token: "t",
    });
    expect(chooseDesk({ env: { NPS_DESK_TOKEN: "t" }, local: null }, LOGIN)).toBeNull();
  });
});

describe("an address on this machine", () => {
  it.each([
    ["http://127.0.0.1:3000", true],
    ["http://localhost:3000", true],
    ["http://[::1]:3000", true],
    ["https://api.example.com", false],
    ["https://127.0.0.1.example.com", false],
    ["https://localhost.example.com", false],
  ])("%s: %s", (url, isLocal) => {
    expect(isOnThisMachine(url)).toBe(isLocal);
  });
});
