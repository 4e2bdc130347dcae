import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface TestCertificates {
  /** PEM of the authority that signed all certificates but `selfSigned`. */
  readonly ca: string;
  readonly good: Certificate;
  readonly expired: Certificate;
  readonly selfSigned: Certificate;
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
const AUTHORITY = `[ca]
default_ca = test
[test]
database = index.txt
new_certs_dir = .
default_md = sha256
rand_serial = yes
unique_subject = no
copy_extensions = copy
policy = names
[names]
commonName = supplied
`;

/** Certificates for one host name, made with the machine's openssl. */
export function makeCertificates(hostname: string): TestCertificates {
  const folder = mkdtempSync(join(tmpdir(), "webhook-tls-"));
  const openssl = (...args: readonly string[]): void =>
    void execFileSync("openssl", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const names = ["-subj", `/CN=${hostname}`, "-addext", `subjectAltName=DNS:${hostname}`];
  const sign = (from: string, to: string): Certificate => {
    openssl("req", "-new", ...KEY, "-keyout", "leaf.key", "-out", "leaf.csr", ...names);
    const dates = ["-startdate", from, "-enddate", to];
    const parts = ["-batch", "-notext", "-config", "ca.cnf", "-cert", "ca.pem"];
    openssl("ca", ...parts, "-keyfile", "ca.key", "-in", "leaf.csr", "-out", "leaf.pem", ...dates);
    return { key: read("leaf.key"), cert: read("leaf.pem") };
  };
  try {
    writeFileSync(join(folder, "ca.cnf"), AUTHORITY);
    writeFileSync(join(folder, "index.txt"), "");
    const self = ["req", "-x509", ...KEY, "-days", "2"];
    openssl(...self, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Test Authority");
    openssl(...self, "-keyout", "self.key", "-out", "self.pem", ...names);
    return {
      ca: read("ca.pem"),
      good: sign("20200101000000Z", "20480101000000Z"),
      expired: sign("20200101000000Z", "20200102000000Z"),
      selfSigned: { key: read("self.key"), cert: read("self.pem") },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
