import { useState, type SubmitEvent } from "react";
import { Link } from "wouter";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Modal, ModalActions } from "../../../ui/modal.tsx";
import styles from "./queue.module.css";

interface SavedView {
  readonly name: string;
  /** The search of its URL. */
  readonly search: string;
}

const KEY = "desk.views";

function readViews(): readonly SavedView[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(kept: unknown): kept is SavedView {
  const { name, search } = (kept ?? {}) as Partial<SavedView>;
  return typeof name === "string" && typeof search === "string";
}

/** Filters kept under a name, in this browser. */
export function SavedViews({ search }: { readonly search: string }) {
  const [views, setViews] = useState(readViews);
  const [isNaming, setIsNaming] = useState(false);
  const keep = (next: readonly SavedView[]): void => {
    localStorage.setItem(KEY, JSON.stringify(next));
    setViews(next);
  };
  const isKept = views.some((view) => view.search === search);
  return (
    <div className={styles["views"]}>
      {views.map((view) => (
        <span key={view.name} className={styles["view"]}>
          <Link
            href={`/reviews?${view.search}`}
            aria-current={view.search === search ? "true" : undefined}
          >
            {view.name}
          </Link>
          <button
            type="button"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => keep(views.filter(({ name }) => name !== view.name))}
          >
            ✕
          </button>
        </span>
      ))}
      {!isKept && (
        <Button kind="quiet" onClick={() => setIsNaming(true)}>
          Save view
        </Button>
      )}
      {isNaming && (
        <NameView
          onClose={() => setIsNaming(false)}
          onName={(name) => keep([...views.filter((view) => view.name !== name), { name, search }])}
        />
      )}
    </div>
  );
}

interface NameViewProps {
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

function NameView({ onName, onClose }: NameViewProps) {
  const [name, setName] = useState("");
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    onName(name.trim());
    onClose();
  };
  return (
    <Modal title="Save this view" description="It is kept in this browser." onClose={onClose}>
      <form onSubmit={onSubmit} className={styles["form"]}>
        <Field label="Name">
          {(control) => (
            <input
              {...control}
              required
              autoFocus
              maxLength={40}
              pattern=".*\S.*"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <ModalActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary">
            Save
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}
