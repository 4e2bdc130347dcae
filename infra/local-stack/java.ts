import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../services/platform/errors.ts";
import { runCommand } from "./run-command.ts";

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
export async function requireMaven(): Promise<void> {
  await runCommand("mvn", ["-v"]).catch((error: unknown) => {
    throw new AppError(
      "stack_failed",
      "Kafka and the schema registry are downloaded with Maven, which was not found: install the package maven (macOS: brew install maven).",
      { cause: error },
    );
  });
}
