import { describe, expect, it } from 'vitest';
import {
  migrateSettings,
  type Migrations,
  type RawSettings,
} from '../../../electron/core/settings/migrate-settings.ts';
import { parseSettings } from '../../../electron/core/settings/parse-settings.ts';

const migrations: Migrations = new Map<number, (raw: RawSettings) => RawSettings>([
  [1, ({ dark, ...rest }) => ({ ...rest, theme: dark === true ? 'dark' : 'system' })],
  [2, (raw) => ({ ...raw, closeToTray: true })],
]);

describe('migrateSettings', () => {
  it('leaves what has the form of today alone', () => {
    const raw = { version: 3, theme: 'dark' };
    expect(migrateSettings(raw, migrations, 3)).toEqual({ kind: 'current', raw });
  });

  it('goes through every version in between, from the first one where none is given', () => {
    const migrated = { version: 3, theme: 'dark', later: 1, closeToTray: true };
    expect(migrateSettings({ dark: true, later: 1 }, migrations, 3)).toEqual({
      kind: 'migrated',
      raw: migrated,
    });
    expect(migrateSettings({ version: 2, theme: 'dark', later: 1 }, migrations, 3)).toEqual({
      kind: 'migrated',
      raw: migrated,
    });
  });

  it.each([0, -1, 1.5, 'new', null, 4])('refuses version %j', (version) => {
    expect(migrateSettings({ version }, migrations, 3)).toMatchObject({ kind: 'refused' });
  });

  it('has a way from every version to the one of today', () => {
    expect(parseSettings('{ "theme": "dark" }')).toMatchObject({
      kind: 'parsed',
      settings: { theme: 'dark' },
    });
  });
});
