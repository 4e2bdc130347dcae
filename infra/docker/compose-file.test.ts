import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { Ajv } from "ajv";
import {
  compose,
  composeService,
  composeText,
  environmentOf,
  interpolate,
  ownServices,
  rawCompose,
} from "../../test/support/programs/compose-file.ts";
import { KAFKA_VERSION, REGISTRY_VERSION } from "../local-stack/artifacts.ts";
import { accessProperties, SINGLE_BROKER } from "../local-stack/kafka-properties.ts";
import { CONFLUENT_API, KAFKA_ADMIN } from "../local-stack/logins.ts";
import { REGISTRY_ROLE } from "../migrate/login-roles.ts";
import { passwordNames } from "../passwords-config.ts";
import { projectRoot } from "../project-root.ts";
import { roleOf } from "../../services/messages/bus/topic-rights.ts";

const GIVEN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(passwordNames.map((name) => [name, name.toLowerCase()])),
  POSTGRES_PASSWORD: "geheim",
  SECRETS_KEY: "a2V5",
};
const names = Object.keys(compose.services);
const services = readdirSync(join(projectRoot, "services")).filter((name) =>
  existsSync(join(projectRoot, "services", name, "main.ts")),
);
/** Programs of ours that run permanently and are not services of the product. */
const servers = ["registry-gate"];
const jobs = ownServices.filter((name) => !services.includes(name) && !servers.includes(name));

/** What a service waits for, and what that waits for, itself included. */
function neededBy(name: string): string[] {
  return [name, ...Object.keys(composeService(name).depends_on).flatMap(neededBy)];
}

function jsonOf(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(projectRoot, path), "utf8")) as Record<string, unknown>;
}

describe("docker-compose.yml", () => {
  it("is valid by the compose specification", () => {
    const schema = jsonOf("node_modules/dclint/schemas/compose.schema.json");
    // Ajv knows draft 7 only by its http address.
    const draft7 = { ...schema, $schema: "http://json-schema.org/draft-07/schema" };
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const isValid = ajv.compile(draft7);
    expect([isValid(rawCompose), isValid.errors]).toEqual([true, null]);
    const broken = { services: { api: { ...composeService("api"), heathcheck: {} } } };
    expect(isValid(broken)).toBe(false);
  });

  it("runs the main program of every service, and the jobs before them", () => {
    const running = ownServices.filter((name) => !jobs.includes(name));
    expect(running.sort()).toEqual([...services, ...servers].sort());
    expect(jobs.sort()).toEqual(["kafka-access", "migrate", "topics"]);
    for (const name of ownServices) {
      const folder = services.includes(name) ? "services" : "infra";
      expect(composeService(name).command).toEqual([`${folder}/${name}/main.ts`]);
      expect(existsSync(join(projectRoot, folder, name, "main.ts"))).toBe(true);
    }
    const done = { condition: "service_completed_successfully" };
    for (const name of services) {
      const needs = name.endsWith("-carrier") ? ["topics"] : ["migrate", "topics"];
      const expected = Object.fromEntries(needs.map((need) => [need, done]));
      expect([name, composeService(name).depends_on]).toEqual([name, expected]);
    }
  });

  it("waits for the health of each dependency that reports it", () => {
    for (const name of names) {
      for (const [needed, { condition }] of Object.entries(composeService(name).depends_on)) {
        const isJob = jobs.includes(needed);
        const expected = isJob ? "service_completed_successfully" : "service_healthy";
        expect([name, needed, condition]).toEqual([name, needed, expected]);
        if (!isJob) expect(composeService(needed).healthcheck).toBeDefined();
      }
      const hasHealth = composeService(name).healthcheck !== undefined;
      expect([name, hasHealth]).toEqual([name, !jobs.includes(name)]);
    }
  });

  it("publishes only the API and the desk, on the loopback address", () => {
    const published = names.flatMap((name) =>
      composeService(name).ports.map((port) => [name, interpolate(port, {})]),
    );
    expect(published).toEqual([
      ["api", "127.0.0.1:3000:3000"],
      ["desk", "127.0.0.1:3001:3001"],
    ]);
    expect(compose.networks["bus"]?.internal).toBe(true);
    const outside = names.filter((name) => composeService(name).networks.includes("outside"));
    expect(outside).toEqual(["api", "desk", "requirement-review", "webhook-sender"]);
    for (const name of names.filter((one) => one !== "registry")) {
      expect([name, composeService(name).networks]).toEqual([
        name,
        expect.arrayContaining(["bus"]),
      ]);
    }
  });

  it("has the registry reached by its login alone, and by its database", () => {
    expect(compose.networks["registry"]?.internal).toBe(true);
    const near = names.filter((name) => composeService(name).networks.includes("registry"));
    expect(near.sort()).toEqual(["postgres", "registry", "registry-gate"]);
    expect(composeService("registry").networks).toEqual(["registry"]);
    for (const [name, user] of [
      ["topics", "writer"],
      ["carrier-adapter", "reader"],
    ] as const) {
      expect(environmentOf(name, GIVEN)).toMatchObject({
        SCHEMA_REGISTRY_URL: `http://registry-gate:8080${CONFLUENT_API}`,
        SCHEMA_REGISTRY_USERNAME: user,
        SCHEMA_REGISTRY_PASSWORD: `registry_${user}_password`,
      });
    }
  });

  it("pins every image, Kafka's and the registry's to what npm start runs", () => {
    for (const name of names)
      expect(composeService(name).image).toMatch(/:\d+\.\d+(\.\d+)?(-\w+)?$/);
    expect(composeService("kafka").image).toBe(`apache/kafka:${KAFKA_VERSION}`);
    expect(composeService("registry").image).toBe(`apicurio/apicurio-registry:${REGISTRY_VERSION}`);
    const { version } = jsonOf("package.json");
    for (const name of ownServices) {
      expect(composeService(name).image).toBe(`number-porting-service:${String(version)}`);
    }
  });

  it("has one service build the image that all others name, and none rebuild or pull it", () => {
    const building = names.filter((name) => composeService(name).build !== undefined);
    expect(building).toEqual(["migrate"]);
    for (const name of ownServices) {
      // A job that is run by hand prints what it prints, and not what a build says.
      expect([name, composeService(name)["pull_policy"]]).toEqual([name, "never"]);
    }
    // Whoever starts a service alone starts what builds it as well.
    for (const name of services) expect(neededBy(name)).toContain("migrate");
  });

  it("prints a token alone, as the guide captures it", () => {
    const guide = readFileSync(join(projectRoot, "docs", "guides", "docker.md"), "utf8");
    const [, run = ""] = /^operators\(\) \{ (.*); \}$/m.exec(guide) ?? [];
    expect(run).toMatch(/^docker compose run --rm -T migrate .*operators\.ts "\$@"$/);
    // Read to its end: a pipe that closes early fails the command before it.
    expect(guide).toContain("TOKEN=$(operators token Ada 2>/dev/null | sed -n 1p)");
  });

  it("serves no metrics to customers by a copy of .env.example", () => {
    for (const name of ["api", "desk"]) {
      expect(environmentOf(name, { ...GIVEN, METRICS_PUBLIC: "true" })["METRICS_PUBLIC"]).toBe(
        "false",
      );
    }
  });

  it("gives no container more rights than it needs", () => {
    for (const name of names) {
      const service = composeService(name);
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({
          cap_drop: ["ALL"],
          security_opt: ["no-new-privileges:true"],
          restart: jobs.includes(name) ? "no" : "unless-stopped",
          deploy: {
            resources: {
              limits: {
                cpus: expect.any(String),
                memory: expect.any(String),
                pids: expect.any(Number),
              },
            },
          },
        }),
      ]);
      expect(service).not.toHaveProperty("privileged");
      if (ownServices.includes(name) || name === "postgres") {
        expect([name, service["read_only"]]).toEqual([name, true]);
      }
      expect(service["cap_add"] === undefined).toBe(name !== "postgres");
    }
  });

  it("contains no secrets and refuses a start without them", () => {
    for (const missing of Object.keys(GIVEN)) {
      const others = Object.entries(GIVEN).filter(([name]) => name !== missing);
      expect(() => interpolate(composeText, Object.fromEntries(others))).toThrow(missing);
    }
    const secret =
      /^\s+\w*(PASSWORD|SECRET|TOKEN|_KEY)\w*: (?!\$\{\w+:(\?|-\}|-\$\{\w+_PASSWORD[:}]))/gm;
    expect(composeText.match(secret)).toBeNull();
    expect(environmentOf("migrate", GIVEN)["DATABASE_URL"]).toBe(
      "postgresql://porting:geheim@postgres:5432/porting",
    );
  });

  it("lets each service log in to Postgres and Kafka as itself alone", () => {
    for (const name of services) {
      const own = environmentOf(name, GIVEN);
      const role = roleOf(name);
      const password = `${name.replaceAll("-", "_")}_password`;
      const url = `postgresql://${role ?? ""}:${password}@postgres:5432/porting`;
      expect([name, own["DATABASE_URL"]]).toEqual([name, role === null ? undefined : url]);
      expect(own).toMatchObject({
        KAFKA_SASL_MECHANISM: "SCRAM-SHA-512",
        KAFKA_SASL_USERNAME: name,
        KAFKA_SASL_PASSWORD: password,
      });
      const shared = ["a2V5", "registry_reader_password"];
      const others = Object.values(GIVEN).filter(
        (one) => one !== password && !shared.includes(one),
      );
      const readable = Object.values(own).filter((value) =>
        others.some((other) => value.includes(`${other}@`) || value === other),
      );
      expect([name, readable]).toEqual([name, []]);
    }
    const registry = environmentOf("registry", GIVEN);
    expect(registry["APICURIO_DATASOURCE_USERNAME"]).toBe(REGISTRY_ROLE);
    expect(registry["APICURIO_DATASOURCE_PASSWORD"]).toBe("registry_password");
  });

  it("has a password made for everybody who logs in, once", () => {
    const folder = mkdtempSync(join(tmpdir(), "passwords-"));
    const script = join(projectRoot, "infra", "docker", "passwords.sh");
    const make = (): string => execFileSync("sh", [script], { cwd: folder, encoding: "utf8" });
    const lines = make();
    const names = lines.match(/^\w+(?==[0-9a-f]{48}$)/gm) ?? [];
    expect(names.toSorted()).toEqual(["POSTGRES_PASSWORD", ...passwordNames].sort());
    writeFileSync(join(folder, ".env"), `API_PASSWORD=\n${lines}`);
    expect(make()).toBe("");
    rmSync(folder, { recursive: true });
  });

  it("keeps data in named volumes, the documents in one that those share who open them", () => {
    const mounted = names.flatMap((name) =>
      composeService(name).volumes.map((volume) => volume.split(":").slice(0, 2).join(" in ")),
    );
    const kept = mounted.filter((volume) => !volume.startsWith("./"));
    expect(new Set(kept.map((volume) => volume.split(" in ")[0]))).toEqual(
      new Set(Object.keys(compose.volumes)),
    );
    const folder = environmentOf("requirement-review", GIVEN)["DOCUMENTS_DIR"] ?? "";
    expect(mounted.filter((volume) => volume === `documents in ${folder}`)).toHaveLength(3);
    const bound = mounted.filter((volume) => volume.startsWith("./"));
    for (const volume of bound) {
      expect(existsSync(join(projectRoot, volume.split(" in ")[0] ?? ""))).toBe(true);
    }
  });

  it("runs Kafka with the settings of npm start", () => {
    const given = environmentOf("kafka", GIVEN);
    for (const [name, value] of Object.entries(SINGLE_BROKER)) {
      const variable = `KAFKA_${name.toUpperCase().replaceAll(".", "_")}`;
      expect([variable, given[variable]]).toEqual([variable, String(value)]);
    }
  });

  it("admits to Kafka as npm start does", () => {
    const given = environmentOf("kafka", GIVEN);
    const users = { [KAFKA_ADMIN]: GIVEN["KAFKA_ADMIN_PASSWORD"] ?? "" };
    for (const [name, value] of Object.entries(accessProperties(users))) {
      const words = name.toUpperCase().replaceAll("_", "__").replaceAll("-", "___");
      const variable = `KAFKA_${words.replaceAll(".", "_")}`;
      expect([variable, given[variable]]).toEqual([variable, String(value)]);
    }
    const map = given["KAFKA_LISTENER_SECURITY_PROTOCOL_MAP"];
    expect(map).toBe("CLIENTS:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT");
  });
});

describe("interpolate", () => {
  it("replaces values, defaults, nested defaults and escaped dollars as Compose does", () => {
    expect(interpolate("${A}-${B:-b}-${C:-c}", { A: "1", B: "", C: "3" })).toBe("1-b-3");
    expect(interpolate("${A:-x${B:-y}}", {})).toBe("xy");
    expect(interpolate("${A:-x${B:-y}}", { B: "z" })).toBe("xz");
    expect(interpolate("$$A $${A:-b} ${A}", { A: "$$" })).toBe("$A ${A:-b} $$");
    expect(() => interpolate("${A:?not there}", {})).toThrow("not there");
  });
});
