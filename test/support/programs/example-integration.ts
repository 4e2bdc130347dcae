import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { projectRoot } from "../../../infra/project-root.ts";
import { providerUser } from "../../../services/messages/bus/topic-rights.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import type { OwnProduct } from "../product/product.ts";
import { variablesOf } from "../stack/kafka-access.ts";
import { outputOf } from "./program-output.ts";
import { pythonVenv } from "./python-venv.ts";

const PYTHON_FOLDER = join(projectRoot, "examples", "carrier-integration", "python");
const TYPESCRIPT = ["examples", "carrier-integration", "typescript", "main.ts"];

export type Language = "TypeScript" | "Python";

/** The example integration in a language, as a command with its arguments. */
export async function exampleCommand(language: Language): Promise<readonly string[]> {
  if (language === "TypeScript") return [process.execPath, join(projectRoot, ...TYPESCRIPT)];
  const bin = await pythonVenv("carrier-integration", join(PYTHON_FOLDER, "requirements.txt"));
  return [join(bin, "python"), "-B", join(PYTHON_FOLDER, "main.py")];
}

export interface ExampleOptions {
  readonly product: OwnProduct;
  readonly command: readonly string[];
  readonly provider: string;
  /** Where it keeps what it has published. */
  readonly dataDir: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface RunningExample {
  /** The program's output so far. */
  output(): string;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts the example as the provider's integration, which logs in to Kafka as that provider; killed after the tests. */
export function startExample(options: ExampleOptions): RunningExample {
  const { product, provider, dataDir, env = {} } = options;
  const [program = "", ...args] = options.command;
  const child = spawn(program, args, {
    env: {
      ...process.env,
      KAFKA_BROKERS: product.kafkaBrokers,
      ...variablesOf(providerUser(provider)),
      SCHEMA_REGISTRY_URL: product.registryUrl,
      TOPIC_PREFIX: product.topicPrefix,
      PROVIDER: provider,
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endAfterTests(() => child.kill("SIGKILL"));
  const output = outputOf(child);
  return {
    output,
    end: async (signal) => {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
