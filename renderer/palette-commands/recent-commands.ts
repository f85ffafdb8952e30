const KEY = 'mcp-control-panel.recent-commands';
/** Commands kept, as many as can be taken in at a glance. */
const MAX_KEPT = 6;

/** Words of the commands given last, the latest first, from the window's own memory. */
export function readRecent(storage: Pick<Storage, 'getItem'>): readonly string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((words) => typeof words === 'string').slice(0, MAX_KEPT) : [];
  } catch {
    // The text is no JSON, or the window has no storage.
    return [];
  }
}

/** Notes that a command was given. */
export function noteRecent(storage: Pick<Storage, 'getItem' | 'setItem'>, words: string): void {
  const others = readRecent(storage).filter((other) => other !== words);
  try {
    storage.setItem(KEY, JSON.stringify([words, ...others].slice(0, MAX_KEPT)));
  } catch {
    // A full or forbidden storage costs the next palette its first rows, and this command nothing.
  }
}

/** Commands with those given last in front; what is not possible now is left out. */
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
