import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearch } from "wouter";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { readOf, useList } from "../../ui/http/read.ts";
import type { Page } from "../../ui/http/request.ts";
import { FormModal } from "../../ui/modal.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useMay } from "../session.ts";
import styles from "./saved-views.module.css";
import { viewSearch, type ListScreen, type SavedView } from "./views.ts";

const PATH = "/desk/v1/views";

/** The list's filters and order under names: the operator's own, and those of all. */
export function SavedViews({ screen }: { readonly screen: ListScreen }) {
  const search = viewSearch(useSearch());
  const { data } = useList<SavedView>("views", PATH);
  const [isNaming, setIsNaming] = useState(false);
  const views = data?.data.filter((view) => view.screen === screen) ?? [];
  const isKept = views.some((view) => view.search === search);
  return (
    <div className={styles["views"]} role="group" aria-label="Saved views">
      {views.map((view) => (
        <ViewTab key={view.id} view={view} isShown={view.search === search} />
      ))}
      {!isKept && search !== "" && (
        <Button kind="quiet" onClick={() => setIsNaming(true)}>
          Save view
        </Button>
      )}
      {isNaming && <NameView {...{ screen, search }} onClose={() => setIsNaming(false)} />}
    </div>
  );
}

function ViewTab({ view, isShown }: { readonly view: SavedView; readonly isShown: boolean }) {
  const remove = useCommand({ refreshes: ["views"] });
  const restore = useCommand({ refreshes: ["views"] });
  const toasts = useToasts();
  const isLead = useMay("lead");
  const { id, screen, name, search, shared: isShared } = view;
  const undo = (): void => {
    const body = { screen, search, name, shared: isShared };
    restore.run({ path: PATH, body }, { onFailed: toasts.failed });
  };
  const onDone = (): void => {
    toasts.replaced(`view ${id}`, "The view is removed", name, ["Undo", undo]);
  };
  const onRemove = (): void =>
    remove.run({ path: `${PATH}/${id}`, method: "DELETE" }, { onDone, onFailed: toasts.failed });
  return (
    <span className={styles["view"]}>
      <Link href={`/${screen}?${search}`} aria-current={isShown ? "true" : undefined}>
        {name}
      </Link>
      {isShared && <span className="small">for all</span>}
      {(!isShared || isLead) && (
        <button
          type="button"
          aria-label={`Remove the view ${name}`}
          disabled={remove.isPending}
          onClick={onRemove}
        >
          ✕
        </button>
      )}
    </span>
  );
}

interface NameViewProps {
  readonly screen: ListScreen;
  readonly search: string;
  readonly onClose: () => void;
}

function NameView({ screen, search, onClose }: NameViewProps) {
  const [name, setName] = useState("");
  const [isShared, setIsShared] = useState(false);
  const save = useCommand<SavedView>({ refreshes: ["views"] });
  const isLead = useMay("lead");
  const client = useQueryClient();
  // At once, so that the button that opened this is gone when the focus would return to it.
  const show = (saved: SavedView): void => {
    client.setQueryData(readOf<Page<SavedView>>("views", PATH).queryKey, (former) => {
      const others = former?.data.filter(({ id }) => id !== saved.id) ?? [];
      return { data: [...others, saved], has_more: false };
    });
  };
  const body = { screen, search, name: name.trim(), shared: isShared };
  return (
    <FormModal
      title="Save this view"
      description="The filters and the order of the list, under a name. One that has it already is replaced."
      verb="Save"
      isBusy={save.isPending}
      onSubmit={() => save.run({ path: PATH, body }, { onDone: show, whileShown: onClose })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        autoFocus
        maxLength={40}
        pattern=".*\S.*"
        error={save.error?.message}
        value={name}
        onChange={setName}
      />
      {isLead && (
        <label className={styles["shared"]}>
          <input
            type="checkbox"
            checked={isShared}
            onChange={(event) => setIsShared(event.target.checked)}
          />
          For all operators
        </label>
      )}
    </FormModal>
  );
}
