import { useState, type SubmitEvent } from "react";
import type { z } from "zod";
import type { brandingAnswer } from "../../../services/api/portal/branding/routes.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TextField } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useRead } from "../../ui/http/read.ts";
import { faultAt, otherFaults } from "../../ui/http/request.ts";
import { Card, Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { Brand } from "../end-user/brand/brand.tsx";
import styles from "./appearance.module.css";

type Branding = z.infer<typeof brandingAnswer>;

const PATH = "/v2/portal_branding";

/** What the account's end users see of it on the pages of their links. */
export default function AppearancePage() {
  return (
    <Page title="Appearance">
      <p className="muted">
        Somebody who gets a link to an order has never heard of us: the page shows your name, your
        logo and your colour, so that they know who asks them for a bill and a signature.
      </p>
      <DataView query={useRead<Branding>("branding", PATH)}>
        {(branding) => <Form key={branding.updated_at} branding={branding} />}
      </DataView>
    </Page>
  );
}

const AT = { name: "#/name", colour: "#/colour", logo: "#/logo" };
const NO_COLOUR = "#2457d6";

function Form({ branding }: { readonly branding: Branding }) {
  const [name, setName] = useState(branding.name ?? "");
  const [colour, setColour] = useState(branding.colour);
  const [logo, setLogo] = useState<Logo | null>(null);
  const [keepsLogo, setKeepsLogo] = useState(true);
  const set = useCommand<Branding>({ refreshes: ["branding"] });
  const toasts = useToasts();
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const changed = logo === null ? (keepsLogo ? {} : { logo: null }) : { logo: logo.base64 };
    const body = { name: name.trim() === "" ? null : name, colour, ...changed };
    const command = { method: "PATCH", path: PATH, body } as const;
    set.run(command, { onDone: () => toasts.done("Your end users see this from now on") });
  };
  const choose = async (file: File | undefined): Promise<void> => {
    setLogo(file === undefined ? null : await readLogo(file));
  };
  const shown = logo?.url ?? (keepsLogo ? branding.logo_url : null);
  const others = otherFaults(set.error, Object.values(AT));
  return (
    <Card>
      <Brand branding={{ name: name === "" ? null : name, colour, logo_url: shown }} />
      <form className={styles["form"]} onSubmit={onSubmit} noValidate>
        <TextField
          label="Name"
          hint="As your end users know you, up to 64 characters"
          autoComplete="organization"
          error={faultAt(set.error, AT.name)}
          value={name}
          onChange={setName}
        />
        <Field
          label="Colour"
          hint="Of buttons and links. Where text on it could not be read, the page shows it darker or lighter."
          error={faultAt(set.error, AT.colour)}
        >
          {(control) => (
            <input
              {...control}
              type="color"
              value={colour ?? NO_COLOUR}
              onChange={(event) => setColour(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Logo"
          hint="PNG or JPEG, up to 256 KiB and 1,024 by 1,024 pixels"
          error={faultAt(set.error, AT.logo)}
        >
          {(control) => (
            <input
              {...control}
              type="file"
              accept="image/png,image/jpeg"
              onChange={(event) => void choose(event.target.files?.[0])}
            />
          )}
        </Field>
        {others !== null && (
          <p role="alert" className={styles["wrong"]}>
            {others}
          </p>
        )}
        <div className={styles["actions"]}>
          <Button type="submit" kind="primary" isBusy={set.isPending}>
            Save
          </Button>
          {colour !== null && (
            <Button kind="quiet" onClick={() => setColour(null)}>
              Without a colour
            </Button>
          )}
          {shown !== null && (
            <Button
              kind="quiet"
              onClick={() => {
                setLogo(null);
                setKeepsLogo(false);
              }}
            >
              Without a logo
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}

/** A chosen logo: as it is sent, and where the page shows it from. */
interface Logo {
  readonly base64: string;
  readonly url: string;
}

async function readLogo(file: File): Promise<Logo> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return { base64: btoa(text), url: URL.createObjectURL(file) };
}
