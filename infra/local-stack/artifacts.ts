import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../services/platform/errors.ts";
import { markOf } from "../start/supervisor/processes.ts";
import { runCommand } from "./process-owner.ts";

const LOWEST_VERSION = 17;

/** Save memory, compile time and wake-ups: two JVMs share the machine with the services. */
export const JVM_FLAGS = [
  "-XX:+UseSerialGC",
  "-XX:TieredStopAtLevel=1",
  "-XX:-UsePerfData",
  "-XX:MinHeapFreeRatio=20",
  "-XX:MaxHeapFreeRatio=40",
  // Without memory it answers some and not others: it is started again instead.
  "-XX:+ExitOnOutOfMemoryError",
] as const;

/** The major version in the output of `java -version`; null when there is none. */
export function javaMajorVersion(text: string): number | null {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  if (first === undefined) return null;
  // Java 8 and older report 1.8.
  return first === "1" ? Number(second ?? 0) : Number(first);
}

/** The java to use: JAVA_HOME's, else the one on PATH. @throws `stack_failed` where it is missing or too old */
export async function requireJava(env: NodeJS.ProcessEnv): Promise<string> {
  const home = env["JAVA_HOME"] ?? "";
  const ofHome = join(home, "bin", "java");
  const java = home !== "" && existsSync(ofHome) ? ofHome : "java";
  const version = await runCommand(java, ["-version"]).then(
    ({ stdout, stderr }) => javaMajorVersion(stderr + stdout),
    () => null,
  );
  if (version !== null && version >= LOWEST_VERSION) return java;
  const found = version === null ? "none was found" : `version ${version} was found`;
  throw new AppError(
    "stack_failed",
    `Kafka and the schema registry need Java ${LOWEST_VERSION} or newer, but ${found}: install the package openjdk-17-jre-headless (macOS: brew install openjdk@17).`,
  );
}

/** @throws `stack_failed` where Maven, which downloads Kafka and the registry, is missing */
async function requireMaven(): Promise<void> {
  await runCommand("mvn", ["-v"]).catch((error: unknown) => {
    throw new AppError(
      "stack_failed",
      "Kafka and the schema registry are downloaded with Maven, which was not found: install the package maven (macOS: brew install maven).",
      { cause: error },
    );
  });
}

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
