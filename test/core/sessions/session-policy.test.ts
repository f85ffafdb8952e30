import { describe, expect, it } from 'vitest';
import { sessionPolicy } from '../../../electron/core/sessions/session-policy.ts';
import { panelSettingsSchema, type PanelSettings } from '../../../shared/panel-settings.ts';

const settings = (sessions: Partial<PanelSettings['sessions']>) =>
  panelSettingsSchema.parse({ sessions }).sessions;

describe('sessionPolicy', () => {
  it('fills in what a caller leaves out, so that nobody waits for room that can never come', () => {
    expect(sessionPolicy({ mode: 'exclusive' }, { maxSessions: 2 })).toEqual({
      mode: 'exclusive',
      maxSessions: 2,
      idleTimeoutMs: 400_000,
    });
  });

  it.each([
    { maxSessions: 0 },
    { maxSessions: -1 },
    { maxSessions: Number.NaN },
    { idleTimeoutMs: 0 },
    { idleTimeoutMs: Number.NaN },
  ])('refuses %o with the name of the setting', (own) => {
    const [name] = Object.keys(own);
    expect(() => sessionPolicy(own)).toThrowError(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringContaining(`sessions.${name}`) as string,
      }) as Error,
    );
  });

  it('is the default when nobody sets anything', () => {
    const expected = { mode: 'shared', maxSessions: 10, idleTimeoutMs: 400_000 };
    expect(sessionPolicy()).toEqual(expected);
    expect(sessionPolicy(settings({}))).toEqual(expected);
  });

  it('takes the limits of the manager where the server sets nothing', () => {
    expect(sessionPolicy(settings({}), { maxSessions: 2, idleTimeoutMs: 7 })).toEqual({
      mode: 'shared',
      maxSessions: 2,
      idleTimeoutMs: 7,
    });
  });

  it('prefers what the server sets', () => {
    const own = settings({ mode: 'exclusive', maxSessions: 3, idleTimeoutMs: 5000 });
    expect(sessionPolicy(own, { maxSessions: 2, idleTimeoutMs: 7 })).toEqual({
      mode: 'exclusive',
      maxSessions: 3,
      idleTimeoutMs: 5000,
    });
  });
});
