import { SETTINGS_VERSION } from '../../../shared/settings.ts';

/** A file without a version is of this one, which is the only one so far. */
const FIRST_VERSION = 1;

/** Why a file of this version is neither used nor edited; undefined where it is one that the panel knows. Pure. */
export function versionProblem(version: unknown = FIRST_VERSION): string | undefined {
  if (typeof version !== 'number' || !Number.isInteger(version) || version < FIRST_VERSION)
    return `version: expected a whole number from 1, found ${nameOf(version)}`;
  if (version <= SETTINGS_VERSION) return undefined;
  return `version: it was written by a later version of the panel (${version}; this one knows ${SETTINGS_VERSION})`;
}

function nameOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${value === null ? 'null' : typeof value}`;
}
