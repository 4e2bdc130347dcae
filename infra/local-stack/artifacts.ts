import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markOf } from "../start/supervisor/process-identity.ts";
import { requireMaven } from "./java.ts";
import { runCommand } from "./run-command.ts";

export const KAFKA_VERSION = "4.3.0";
// Newer versions need Java 21.
export const REGISTRY_VERSION = "3.0.9";

const KAFKA_POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>embedded</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${KAFKA_VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-simple</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`;

export const REGISTRY_JAR = `apicurio-registry-app-${REGISTRY_VERSION}-runner.jar`;

export interface FetchOptions {
  /** Kept between starts; several starts at the same time may share it. */
  readonly cacheDir: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface Artifact {
  readonly folder: string;
  readonly progress: string;
  readonly fetchInto: (draft: string, signal: AbortSignal) => Promise<unknown>;
}

async function copyKafka(draft: string, signal: AbortSignal): Promise<void> {
  const pom = join(draft, "pom.xml");
  writeFileSync(pom, KAFKA_POM);
  const goal = ["dependency:copy-dependencies", "-DincludeScope=runtime"];
  await runCommand("mvn", ["-B", "-q", "-f", pom, ...goal, `-DoutputDirectory=${draft}`], {
    signal,
  });
}

async function unpackRegistry(draft: string, signal: AbortSignal): Promise<void> {
  const archive = `io.apicurio:apicurio-registry-app:${REGISTRY_VERSION}:tar.gz:all`;
  const goal = ["dependency:copy", `-Dartifact=${archive}`, `-DoutputDirectory=${draft}`];
  // Run in the draft, because Maven reads a pom in its working directory.
  await runCommand("mvn", ["-B", "-q", ...goal], { cwd: draft, signal });
  const [file = ""] = readdirSync(draft);
  await runCommand("tar", ["-xzf", file], { cwd: draft, signal });
  rmSync(join(draft, file));
}

/** Removes the drafts of killed downloads. */
function removeAbandoned(cacheDir: string): void {
  for (const name of readdirSync(cacheDir)) {
    const [, pid] = /^\..+\.(\d+)\.draft$/.exec(name) ?? [];
    if (pid !== undefined && markOf(Number(pid)) === null) {
      rmSync(join(cacheDir, name), { recursive: true, force: true });
    }
  }
}

/** A killed download leaves a draft, never a partial folder; of two at the same time the first result is used. */
export async function fetchArtifact(artifact: Artifact, options: FetchOptions): Promise<string> {
  const { cacheDir, log, signal } = options;
  const folder = join(cacheDir, artifact.folder);
  if (existsSync(folder)) return folder;
  await requireMaven();
  log(artifact.progress);
  const draft = join(cacheDir, `.${artifact.folder}.${process.pid}.draft`);
  mkdirSync(draft, { recursive: true });
  removeAbandoned(cacheDir);
  try {
    await artifact.fetchInto(draft, signal);
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

/** The folder with Kafka's jars, downloaded with Maven where it is missing. */
export function ensureKafka(options: FetchOptions): Promise<string> {
  const progress = `fetching Kafka ${KAFKA_VERSION} (44 MB) …`;
  return fetchArtifact(
    { folder: `kafka-${KAFKA_VERSION}`, progress, fetchInto: copyKafka },
    options,
  );
}

/** The folder with the unpacked schema registry, downloaded with Maven where it is missing. */
export function ensureRegistry(options: FetchOptions): Promise<string> {
  const progress = `fetching the schema registry ${REGISTRY_VERSION} (109 MB) …`;
  const folder = `registry-${REGISTRY_VERSION}`;
  return fetchArtifact({ folder, progress, fetchInto: unpackRegistry }, options);
}
