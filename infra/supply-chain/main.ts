import { writeSbom } from "./sbom.ts";

console.log(writeSbom());
