import { SETTINGS_VERSION } from '../../../shared/settings.ts';

export type RawSettings = Readonly<Record<string, unknown>>;

/** By the version they start from: each makes the form of the next one. A file without a version is of version 1. */
export type Migrations = ReadonlyMap<number, (raw: RawSettings) => RawSettings>;

const FIRST_VERSION = 1;
/** There was one form so far. */
const noMigrations: Migrations = new Map();

export type Migrated =
  | { readonly kind: 'current' | 'migrated'; readonly raw: RawSettings }
  | { readonly kind: 'refused'; readonly message: string };

/** `migrateSettings`, as whoever reads the file calls it. */
export type Migrate = (raw: RawSettings) => Migrated;

/** Brings what a file holds to the form of this version. Pure. */
export function migrateSettings(
  raw: RawSettings,
  migrations: Migrations = noMigrations,
  current = SETTINGS_VERSION,
): Migrated {
  const { version = FIRST_VERSION } = raw;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < FIRST_VERSION)
    return { kind: 'refused', message: `version: expected a whole number from 1, found ${nameOf(version)}` };
  if (version > current) {
    return {
      kind: 'refused',
      message: `version: it was written by a later version of the panel (${version}; this one knows ${current})`,
    };
  }
  let migrated = raw;
  for (let from = version; from < current; from += 1) {
    const step = migrations.get(from);
    if (step === undefined) throw new Error(`no migration leads from version ${from} of settings.json`);
    migrated = { ...step(migrated), version: from + 1 };
  }
  return { kind: version === current ? 'current' : 'migrated', raw: migrated };
}

function nameOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${value === null ? 'null' : typeof value}`;
}
