/** The most that may be lost with the machine: a segment with content is archived at least this often. */
const ARCHIVE_TIMEOUT = "60s";

/** Quotes an argument of a shell command; `%` is doubled, because Postgres replaces `%p` and `%f` first. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`).replaceAll("%", "%%")}'`;
}

/**
 * Copies a segment to a draft, flushes it and renames it; one that exists already must be the same, byte for
 * byte, so that two servers that share the folder by mistake fail here instead of corrupting each other's archive.
 */
const ARCHIVE_SCRIPT = `set -e
if [ -e "$1/$3" ]; then exec cmp -s "$2" "$1/$3"; fi
cp "$2" "$1/.$3.draft"
sync "$1/.$3.draft"
mv "$1/.$3.draft" "$1/$3"
sync "$1"`;

/** The settings of a server that archives its write-ahead log in the folder. */
export function archiveSettings(folder: string): Readonly<Record<string, string>> {
  return {
    archive_mode: "on",
    archive_timeout: ARCHIVE_TIMEOUT,
    archive_command: `/bin/sh -c ${shellQuoted(ARCHIVE_SCRIPT)} sh ${shellQuoted(folder)} "%p" "%f"`,
  };
}

/** The `restore_command` of a server that recovers from the folder. */
export function restoreCommand(folder: string): string {
  return `cp ${shellQuoted(folder)}/"%f" "%p"`;
}
