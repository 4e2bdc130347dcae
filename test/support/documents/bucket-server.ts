import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { fetchArtifact, JVM_FLAGS, requireJava } from "../../../infra/local-stack/artifacts.ts";
import { runCommand } from "../../../infra/local-stack/process-owner.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { eventually } from "../eventually.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";

const VERSION = "4.11.0";
const READY_MS = 60_000;
const CREDENTIALS = { accessKeyId: "porting", secretAccessKey: "porting-secret" };
const REGION = "eu-central-1";

export interface BucketServer {
  /** The variables of a service that keeps its documents in the bucket. */
  readonly env: Readonly<Record<string, string>>;
  readonly client: S3Client;
  readonly bucket: string;
}

function fetchServer(): Promise<string> {
  const artifact = `com.adobe.testing:s3mock:${VERSION}:jar:exec`;
  return fetchArtifact(
    {
      folder: `s3mock-${VERSION}`,
      progress: `fetching the S3 server for tests ${VERSION} (61 MB) …`,
      fetchInto: (draft, signal) => {
        const goal = ["dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${draft}`];
        return runCommand("mvn", ["-B", "-q", ...goal], { cwd: draft, signal });
      },
    },
    {
      cacheDir: join(projectRoot, ".cache", "embedded"),
      log: (line) => process.stderr.write(`${line}\n`),
      signal: new AbortController().signal,
    },
  );
}

/** An S3-compatible server with an empty bucket; stopped after the tests. */
export async function startBucketServer(): Promise<BucketServer> {
  const [folder, java] = [await fetchServer(), await requireJava(process.env)];
  const root = temporaryFolder("bucket");
  const [http, https] = [await freePort(), await freePort()];
  const endpoint = `http://127.0.0.1:${http}`;
  const args = [
    "--server.address=127.0.0.1",
    `--server.port=${https}`,
    `--com.adobe.testing.s3mock.httpPort=${http}`,
    `--com.adobe.testing.s3mock.store.root=${root}`,
  ];
  const jar = join(folder, `s3mock-${VERSION}-exec.jar`);
  const server = spawn(java, [...JVM_FLAGS, "-Xmx192m", "-jar", jar, ...args], { stdio: "ignore" });
  const client = new S3Client({
    region: REGION,
    endpoint,
    forcePathStyle: true,
    credentials: CREDENTIALS,
    maxAttempts: 1,
  });
  const bucket = "porting-documents";
  endAfterTests(async () => {
    client.destroy();
    const ended = once(server, "exit");
    if (server.exitCode === null && server.kill("SIGTERM")) await ended;
  });
  await eventually(() => client.send(new CreateBucketCommand({ Bucket: bucket })), READY_MS);
  const env = {
    DOCUMENTS_BUCKET: bucket,
    DOCUMENTS_BUCKET_REGION: REGION,
    DOCUMENTS_BUCKET_ENDPOINT: endpoint,
    DOCUMENTS_BUCKET_KEY_ID: CREDENTIALS.accessKeyId,
    DOCUMENTS_BUCKET_SECRET_KEY: CREDENTIALS.secretAccessKey,
  };
  return { env, client, bucket };
}
