import { defaultPanelSettings } from '../../../shared/panel-settings.ts';

/**
 * Paths (below the entry) of keys under `panel` that no setting has: most often a slip of the pen. Keys beside
 * `panel` belong to other clients and are nobody's business. The defaults name every setting there is.
 */
export function findUnknownKeys(entry: unknown): readonly string[] {
  return isObject(entry) ? unknownBelow(entry['panel'], defaultPanelSettings, 'panel') : [];
}

function unknownBelow(value: unknown, known: unknown, path: string): readonly string[] {
  if (!isObject(value) || !isObject(known)) return [];
  return Object.keys(value).flatMap((key) =>
    Object.hasOwn(known, key) ? unknownBelow(value[key], known[key], `${path}.${key}`) : [`${path}.${key}`],
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
