const KEY = 'mcp-control-panel.recent-commands';
/** Maximum recent commands, few enough to be seen at a glance. */
const MAX_KEPT = 6;

/** Texts of the commands run last, the latest first, from the app window's storage. */
export function readRecent(storage: Pick<Storage, 'getItem'>): readonly string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((words) => typeof words === 'string').slice(0, MAX_KEPT) : [];
  } catch {
    // The stored text is no JSON, or the app window has no storage.
    return [];
  }
}

/** Stores that a command was run. */
export function noteRecent(storage: Pick<Storage, 'getItem' | 'setItem'>, words: string): void {
  const others = readRecent(storage).filter((other) => other !== words);
  try {
    storage.setItem(KEY, JSON.stringify([words, ...others].slice(0, MAX_KEPT)));
  } catch {
    // With a full or forbidden storage, the command is only missing among the recent ones.
  }
}

/** Commands with the recent ones first; recent commands that do not apply now are left out. */
export function recentFirst<T extends { readonly words: string; readonly isNotRecent?: boolean }>(
  commands: readonly T[],
  recent: readonly string[],
): readonly T[] {
  const may = commands.filter(({ isNotRecent }) => isNotRecent !== true);
  const byWords = new Map(may.map((command) => [command.words, command]));
  const front = recent.flatMap((words) => byWords.get(words) ?? []);
  const known = new Set(front);
  return [...front, ...commands.filter((command) => !known.has(command))];
}
