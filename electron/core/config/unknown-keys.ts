import { defaultPanelSettings } from '../../../shared/panel-settings.ts';
import type { serverEntrySchema } from '../../../shared/server-config.ts';
import { isJsonObject } from '../../../shared/json-object.ts';
import { ownValue } from '../../../shared/own-value.ts';

/** All keys of an entry; under `panel`, the defaults list every setting. */
const KNOWN = {
  type: null,
  command: null,
  args: null,
  env: null,
  cwd: null,
  url: null,
  headers: null,
  tls: { verify: null, caFile: null },
  disabled: null,
  panel: defaultPanelSettings,
} satisfies Record<keyof typeof serverEntrySchema.shape, unknown>;

/** Returns the paths (below the entry) of unknown keys: typos, or another client's own. */
export function findUnknownKeys(entry: unknown): readonly string[] {
  return unknownBelow(entry, KNOWN, '').map((path) => path.slice(1));
}

function unknownBelow(value: unknown, known: unknown, path: string): readonly string[] {
  if (!isJsonObject(value) || !isJsonObject(known)) return [];
  return Object.keys(value).flatMap((key) =>
    Object.hasOwn(known, key)
      ? unknownBelow(ownValue(value, key), ownValue(known, key), `${path}.${key}`)
      : [`${path}.${key}`],
  );
}
