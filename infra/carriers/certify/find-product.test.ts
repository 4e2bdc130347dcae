import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { findProduct } from "./find-product.ts";

const INTEGRATION = {
  KAFKA_BROKERS: "127.0.0.1:9092",
  SCHEMA_REGISTRY_URL: "http://127.0.0.1:8081",
  KAFKA_SASL_USERNAME: "provider-test",
};
const RUNNING = { api_url: "http://api", api_key: "k", desk_url: "http://desk", desk_token: "t" };
const HTTP = { API_URL: "http://api", API_KEY: "k", DESK_URL: "http://desk", DESK_TOKEN: "t" };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "find-product-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe("the product that is certified against", () => {
  it("is the running npm start with its own Kafka, whatever an integration's shell has exported", async () => {
    writeFileSync(join(folder, "credentials.json"), JSON.stringify(RUNNING));
    const found = await findProduct({ ...INTEGRATION, DATA_DIR: folder });
    expect(found).toMatchObject({
      http: HTTP,
      env: { DATA_DIR: folder, KAFKA_BROKERS: "", SCHEMA_REGISTRY_URL: "" },
    });
  });

  it("is looked for in .data too where DATA_DIR is the integration's own folder", async () => {
    await expect(findProduct({ DATA_DIR: folder }, folder)).rejects.toThrow(
      "contains them: is npm start running?",
    );
    writeFileSync(join(folder, "credentials.json"), JSON.stringify(RUNNING));
    const store = join(folder, "pydata");
    expect(await findProduct({ ...INTEGRATION, DATA_DIR: store }, folder)).toMatchObject({
      env: { DATA_DIR: folder },
    });
  });

  it("is the one that all four variables name, with the environment's Kafka", async () => {
    const env = { ...INTEGRATION, ...HTTP };
    expect(await findProduct(env)).toEqual({ http: HTTP, env });
  });
});
