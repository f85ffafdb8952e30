import { SETTINGS_VERSION } from '../../../shared/settings.ts';

/** Version of a file that names none; the only version so far. */
const FIRST_VERSION = 1;

/** Returns why a file of this version is neither used nor edited; undefined for a known version. Pure. */
export function versionProblem(version: unknown = FIRST_VERSION): string | undefined {
  if (typeof version !== 'number' || !Number.isInteger(version) || version < FIRST_VERSION)
    return `version: expected a whole number from 1, found ${nameOf(version)}`;
  if (version <= SETTINGS_VERSION) return undefined;
  return `version: it was written by a later version of the panel (${version}; this one knows ${SETTINGS_VERSION})`;
}

function nameOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${value === null ? 'null' : typeof value}`;
}
