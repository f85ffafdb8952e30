import { describe, expect, it } from 'vitest';
import { versionProblem } from '../../../electron/core/settings/settings-version.ts';
import { SETTINGS_VERSION } from '../../../shared/settings.ts';

describe('versionProblem', () => {
  it.each([undefined, 1, SETTINGS_VERSION])('has nothing to say of version %j', (version) => {
    expect(versionProblem(version)).toBeUndefined();
  });

  it.each([0, -1, 1.5, 'new', null])('refuses version %j, which is none', (version) => {
    expect(versionProblem(version)).toMatch(/^version: expected a whole number from 1, found ./);
  });

  it('refuses a later version than ours, and names both', () => {
    expect(versionProblem(SETTINGS_VERSION + 1)).toContain(
      `(${SETTINGS_VERSION + 1}; this one knows ${SETTINGS_VERSION})`,
    );
  });
});
