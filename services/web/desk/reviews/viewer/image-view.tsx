import { useEffect, useState } from "react";
import { Failure } from "../../../ui/states.tsx";
import type { ViewProps } from "./view-props.ts";
import styles from "./viewer.module.css";

interface ImageViewProps extends ViewProps {
  /** Which page of the document it is, from 1, of how many. */
  readonly page: number;
  readonly of: number;
}

/** An image that the browser shows by itself. */
export function ImageView(props: ImageViewProps) {
  const { content, contentType, name, position, find, page, of, ...view } = props;
  const url = useBlobUrl(content, contentType);
  const [isBroken, setIsBroken] = useState(false);
  const { onFound, onShown } = view;
  useEffect(() => {
    if (find !== null) onFound({ count: 0, hasText: false });
  }, [find]);
  if (isBroken)
    return (
      <Failure title="The document is not shown" error="The browser cannot show this image." />
    );
  const isSideways = position.rotation % 180 !== 0;
  return (
    <div className={styles["image"]} data-sideways={isSideways || undefined}>
      {url !== null && (
        <img
          src={url}
          alt={name}
          style={{
            width: `${position.zoom * 100}%`,
            transform: `rotate(${position.rotation}deg)`,
          }}
          onLoad={() => onShown(page, of)}
          onError={() => setIsBroken(true)}
        />
      )}
    </div>
  );
}

/** A URL of the content, as long as it is rendered. */
function useBlobUrl(content: ArrayBuffer, type: string): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([content], { type }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [content, type]);
  return url;
}
