import { join } from "node:path";
import { projectRoot } from "../../../infra/project-root.ts";
import { pythonVenv } from "../programs/python-venv.ts";
import { helmProgram } from "./helm.ts";

const REQUIREMENTS = join(projectRoot, "test", "kubernetes", "requirements.txt");

/** The path of kubernetes-validate, installed where it is missing. */
export async function kubernetesValidate(): Promise<string> {
  return join(await pythonVenv("kubernetes-validate", REQUIREMENTS), "kubernetes-validate");
}

/** Before the tests of the chart: building Helm takes longer than a test may. */
export default async function installChartTools(): Promise<void> {
  await helmProgram();
}
