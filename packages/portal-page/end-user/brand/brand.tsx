import { useEffect } from "react";
import type { z } from "zod";
import type { shownBranding } from "../../../../services/api/portal/branding/routes.ts";
import { brandColours } from "./brand-colours.ts";
import styles from "./brand.module.css";

export type Branding = z.infer<typeof shownBranding>;

/** Who sent the link, as its end user knows them. */
export function Brand({ branding: { name, logo_url: logo } }: { readonly branding: Branding }) {
  if (name === null && logo === null) return null;
  return (
    <p className={styles["brand"]}>
      {logo !== null && <img src={logo} alt={name === null ? "Logo" : ""} />}
      {name}
    </p>
  );
}

/** Buttons and links in the customer's colour, as long as the page is shown. */
export function useBrandColour(colour: string | null): void {
  useEffect(() => {
    if (colour === null) return;
    const { fill, fillHover, textOnLight, textOnDark } = brandColours(colour);
    const text = `light-dark(${textOnLight}, ${textOnDark})`;
    const set = {
      ...{ "--accent": fill, "--accent-hover": fillHover },
      ...{ "--accent-text": text, "--focus": text },
    };
    const { style } = document.documentElement;
    for (const [name, value] of Object.entries(set)) style.setProperty(name, value);
    return () => {
      for (const name of Object.keys(set)) style.removeProperty(name);
    };
  }, [colour]);
}
