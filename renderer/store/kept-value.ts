/** Text that an earlier app run kept; undefined without one, and where the app window has no local storage. */
export function readKept(storage: Pick<Storage, 'getItem'>, key: string): string | undefined {
  try {
    return storage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The same for a value that is kept as JSON; undefined also for a text that is no JSON. */
export function readKeptJson(storage: Pick<Storage, 'getItem'>, key: string): unknown {
  try {
    return JSON.parse(readKept(storage, key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a text for the next app run, for which alone it is lost where the storage is full or forbidden. */
export function keepText(storage: Pick<Storage, 'setItem'>, key: string, text: string): void {
  try {
    storage.setItem(key, text);
  } catch {
    // See above.
  }
}
