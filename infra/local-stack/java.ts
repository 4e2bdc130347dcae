import { existsSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../services/platform/errors.ts";
import { runCommand } from "./run-command.ts";

const LOWEST_VERSION = 17;

/** For two JVMs beside eight services on two cores: little memory, little compiling. */
export const JVM_FLAGS = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"] as const;

/** The major version in what `java -version` prints; null when it prints none. */
export function javaMajorVersion(text: string): number | null {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  if (first === undefined) return null;
  // Java 8 and older report 1.8.
  return first === "1" ? Number(second ?? 0) : Number(first);
}

/** The java to use (JAVA_HOME's, else the one on PATH); one sentence when there is none or it is too old. */
export async function requireJava(env: NodeJS.ProcessEnv): Promise<string> {
  const home = env["JAVA_HOME"] ?? "";
  const ofHome = join(home, "bin", "java");
  const java = home !== "" && existsSync(ofHome) ? ofHome : "java";
  const version = await runCommand(java, ["-version"]).then(
    ({ stdout, stderr }) => javaMajorVersion(stderr + stdout),
    () => null,
  );
  if (version !== null && version >= LOWEST_VERSION) return java;
  const found = version === null ? "there is none here" : `this one is ${version}`;
  throw new AppError(
    "stack_failed",
    `Kafka and the schema registry need Java ${LOWEST_VERSION} or newer and ${found}: install the package openjdk-17-jre-headless (macOS: brew install openjdk@17).`,
  );
}

/** Throws one sentence when Maven, which fetches Kafka and the registry, is missing. */
export async function requireMaven(): Promise<void> {
  await runCommand("mvn", ["-v"]).catch((error: unknown) => {
    throw new AppError(
      "stack_failed",
      "Kafka and the schema registry are fetched with Maven and there is none here: install the package maven (macOS: brew install maven).",
      { cause: error },
    );
  });
}
