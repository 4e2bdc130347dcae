import { describe, expect, it } from "@jest/globals";
import { programOf, programs, variablesOf } from "../../test/support/kubernetes/chart-files.ts";
import { example, namesRead } from "../../test/support/programs/service-variables.ts";
import {
  groupsOf,
  roleOf,
  SERVICE_USERS,
  topicRights,
} from "../../services/messages/bus/topic-rights.ts";
import {
  DEFAULT_RETRY_SCHEDULE,
  parseRetrySchedule,
} from "../../services/messages/retry-schedule.ts";
import { passwordNames } from "../passwords-config.ts";
import { SERVICE_NAMES, SERVICE_PORTS } from "../start/supervisor/service-table.ts";
import { topicsVariables } from "../topics/config.ts";

/** Read by runService rather than by a service's own config. */
const OF_EVERY_SERVICE = ["LOG_LEVEL", ...(programs.groups["tracing"] ?? [])];
/** Read only by npm start and a developer's other commands, or set by npm start for its services. */
const OF_NO_POD = [
  "COPIES",
  "DATA_DIR",
  "JAVA_HOME",
  "KAFKA_NODES",
  "KAFKA_PORT",
  // Of the build of the image.
  "NODE_IMAGE",
  // The cluster's collector has what a collector outside asks for; a name would be that of every service.
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_SERVICE_NAME",
  "POSTGRES_PORT",
  "POSTGRES_PASSWORD",
  "REGISTRY_PORT",
  "STOP_WITH_PARENT",
  "WAL_ARCHIVE_DIR",
];

const schedule = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE);
const rights = topicRights(schedule);

describe("what the chart knows of the programs", () => {
  it("has every service of the service table", () => {
    expect(Object.keys(programs.services).sort()).toEqual([...SERVICE_NAMES].sort());
  });

  it.each(SERVICE_NAMES)("gives %s exactly what its config reads", async (name) => {
    const read = [...(await namesRead(name)), ...OF_EVERY_SERVICE];
    expect(variablesOf(programOf(name)).sort()).toEqual(read.sort());
  });

  it("gives the jobs what they read", () => {
    expect(variablesOf(programOf("migrate"))).toEqual(["DATABASE_URL"]);
    for (const job of ["topics", "rights"]) {
      expect(variablesOf(programOf(job)).sort()).toEqual([...topicsVariables].sort());
    }
  });

  it("gives a command what the jobs read, so that one repeats them with the same result", () => {
    const ofJobs = ["migrate", "topics", "rights"].flatMap((job) => variablesOf(programOf(job)));
    expect(variablesOf(programOf("commands"))).toEqual(expect.arrayContaining(ofJobs));
  });

  it("leaves no variable out", () => {
    const all = [...Object.values(programs.services), ...Object.values(programs.jobs)];
    const given = new Set([...all.flatMap(variablesOf), ...OF_NO_POD, ...passwordNames]);
    expect([...given].sort()).toEqual(Object.keys(example).sort());
  });

  it("serves people where the services listen for them", () => {
    for (const name of SERVICE_NAMES) {
      const { front } = programOf(name);
      const variable = SERVICE_PORTS[name];
      const expected = variable === "HEALTH_PORT" ? undefined : variable;
      expect([name, front?.variable]).toEqual([name, expected]);
      if (front !== undefined) expect(String(front.port)).toBe(example[front.variable]);
    }
  });

  it("connects to the database whoever has a role there", () => {
    for (const name of SERVICE_NAMES) {
      const { groups, connections } = programOf(name);
      const hasRole = roleOf(name) !== null;
      const found = [groups.includes("database"), connections !== undefined];
      expect([name, ...found]).toEqual([name, hasRole, hasRole]);
    }
  });

  it("measures lag by groups of the service, on topics that it reads", () => {
    for (const name of SERVICE_USERS) {
      const groups = groupsOf(schedule).get(name) ?? [];
      for (const { group, topic } of programOf(name).consumes) {
        expect([name, groups]).toEqual([name, expect.arrayContaining([group])]);
        const readers = rights.get(topic)?.read ?? [];
        expect([topic, readers]).toEqual([topic, expect.arrayContaining([name])]);
      }
    }
  });

  it("does not run relays that would never read the outbox", () => {
    expect(programOf("outbox-relay").mostCopies).toBe(2);
  });
});
