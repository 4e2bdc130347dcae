import { useId, useImperativeHandle, useRef, useState, type PointerEvent, type Ref } from "react";
import { Button } from "../../ui/button.tsx";
import styles from "./order-form.module.css";

/** What was drawn. */
export interface Drawing {
  /** A PNG in base64; null if nothing was drawn. */
  toPng(): string | null;
}

const SIZE = { width: 900, height: 300 };
const LINE_WIDTH = 5;
const DATA_URL_START = "data:image/png;base64,";

interface SignaturePadProps {
  readonly ref: Ref<Drawing>;
  readonly label: string;
  /** The button that takes the drawing away. */
  readonly clear: string;
}

/** Draws with mouse, pen or finger. The typed name signs too, so that nobody has to be able to draw. */
export function SignaturePad({ ref, label: text, clear: verb }: SignaturePadProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hasInk, setHasInk] = useState(false);
  const label = useId();
  useImperativeHandle(ref, () => ({
    toPng: () =>
      hasInk ? (canvas.current?.toDataURL("image/png").slice(DATA_URL_START.length) ?? null) : null,
  }));
  const onDown = (event: PointerEvent<HTMLCanvasElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const context = contextOf(event.currentTarget);
    context?.beginPath();
    context?.moveTo(...placeOf(event));
  };
  const onMove = (event: PointerEvent<HTMLCanvasElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const context = contextOf(event.currentTarget);
    context?.lineTo(...placeOf(event));
    context?.stroke();
    setHasInk(true);
  };
  const clear = (): void => {
    const element = canvas.current;
    if (element !== null) contextOf(element)?.clearRect(0, 0, SIZE.width, SIZE.height);
    setHasInk(false);
  };
  return (
    <div className={styles["pad"]}>
      <div className={styles["above"]}>
        <span id={label} className={styles["label"]}>
          {text}
        </span>
        <Button kind="quiet" disabled={!hasInk} onClick={clear}>
          {verb}
        </Button>
      </div>
      <canvas
        ref={canvas}
        {...SIZE}
        role="img"
        aria-labelledby={label}
        className={styles["canvas"]}
        onPointerDown={onDown}
        onPointerMove={onMove}
      />
    </div>
  );
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  const context = canvas.getContext("2d");
  if (context !== null) Object.assign(context, { lineWidth: LINE_WIDTH, lineCap: "round" });
  return context;
}

/** Where the pointer is, in the canvas's own pixels. */
function placeOf(event: PointerEvent<HTMLCanvasElement>): [number, number] {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return [
    ((event.clientX - left) / width) * SIZE.width,
    ((event.clientY - top) / height) * SIZE.height,
  ];
}
