import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { pino } from "pino";
import { z } from "zod";
import { eventually } from "../../../test/support/eventually.ts";
import { STATUS_UPDATE_KINDS } from "../order/rules/status-update.ts";
import { readCarriers, watchCarriers, type WatchedCarriers } from "./read-carriers.ts";

const SHIPPED = "data/carriers";
const { providers } = readCarriers(SHIPPED);

describe("the shipped providers", () => {
  it("are one file each", () => {
    const files = readdirSync(join(SHIPPED, "providers"));
    expect([...providers.keys()].sort()).toEqual(
      files.map((file) => basename(file, ".json")).sort(),
    );
    expect([...providers.keys()]).toEqual(
      expect.arrayContaining(["gb-gateway", "manual", "sandbox", "us-lsr"]),
    );
  });

  it.each([...providers.values()])("$name has a status for every kind", ({ statuses }) => {
    expect([...new Set(statuses.values())].sort()).toEqual([...STATUS_UPDATE_KINDS].sort());
  });

  it("has a file for every provider in the carrier directory", () => {
    const file = join(SHIPPED, "directory.json");
    const { carriers } = z
      .object({ carriers: z.record(z.string(), z.object({ provider: z.string().optional() })) })
      .parse(JSON.parse(readFileSync(file, "utf8")));
    const named = Object.values(carriers).flatMap(({ provider }) => provider ?? []);
    expect(named.filter((name) => !providers.has(name))).toEqual([]);
  });
});

describe("the carrier files of a deployment", () => {
  const log = pino({ level: "silent" });
  let folder: string;
  let carriers: WatchedCarriers;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "porting-carriers-"));
    cpSync(SHIPPED, folder, { recursive: true });
    carriers = watchCarriers({ folder, log, everyMs: 5 });
  });

  afterEach(async () => {
    await carriers.stop();
    rmSync(folder, { recursive: true });
  });

  const provider = (name: string, text: string): void =>
    writeFileSync(join(folder, "providers", `${name}.json`), text);

  it("are reloaded when one is added or changed", async () => {
    expect(carriers.providers.has("new-carrier")).toBe(false);
    provider("new-carrier", readFileSync(join(SHIPPED, "providers/us-lsr.json"), "utf8"));
    await eventually(() => expect(carriers.providers.has("new-carrier")).toBe(true));
    const directory = { carriers: { "New Bell": { provider: "new-carrier" } }, prefixes: {} };
    writeFileSync(join(folder, "directory.json"), JSON.stringify(directory));
    await eventually(() => expect(carriers.directory.providerOf("new bell")).toBe("new-carrier"));
    expect(carriers.directory.carrierOf("+12127360000")).toBeNull();
  });

  it("may have ranges of numbers by country, which are read without a restart", async () => {
    expect(carriers.directory.rangeOf("+14365551234")).toBeNull();
    mkdirSync(join(folder, "terms"), { recursive: true });
    const ranges = [{ prefix: "+143" }, { prefix: "+1436", number_type: "local" }];
    writeFileSync(join(folder, "terms", "us.json"), JSON.stringify({ ranges }));
    const kind = { country_code: "US", number_type: "local" };
    await eventually(() => expect(carriers.directory.rangeOf("+14365551234")).toEqual(kind));
    expect(carriers.directory.rangeOf("+14355551234")).toEqual({ ...kind, number_type: null });
  });

  it("keep their last valid version while one is invalid, and are reloaded once it is fixed", async () => {
    provider("sandbox", "{");
    writeFileSync(join(folder, "directory.json"), '{"carriers": {}, "prefixes": {}}');
    const texts = ["{", JSON.stringify({ title: "half" })];
    for (const text of texts) provider("sandbox", text);
    await new Promise(setImmediate);
    expect(carriers.providers.get("sandbox")?.statuses.size).toBeGreaterThan(0);
    expect(carriers.directory.carrierOf("+12127360000")).toBe("Verizon");
    provider("sandbox", readFileSync(join(SHIPPED, "providers/sandbox.json"), "utf8"));
    await eventually(() => expect(carriers.directory.carrierOf("+12127360000")).toBeNull());
  });

  it("are reported with their folder if they cannot be read", () => {
    expect(() => readCarriers("/nowhere")).toThrow("CARRIERS_DIR is /nowhere");
  });
});
