import { describe, expect, it } from 'vitest';
import { defaultPanelSettings } from '../../shared/panel-settings.ts';
import { defaultSettings, settingsSchema, withPanelDefaults } from '../../shared/settings.ts';

describe('settingsSchema', () => {
  it('has a default for everything, and sets none for servers', () => {
    expect(defaultSettings).toEqual({
      version: 1,
      theme: 'system',
      startAtLogin: false,
      closeToTray: true,
      leftBehind: true,
      notifications: { stall: true, gaveUp: true, limit: true, restarts: true, pausedUntil: 0 },
      gateway: {
        enabled: true,
        port: 7411,
        startOnDemand: true,
        metrics: false,
        searchAboveTokens: 10_000,
        startWithClients: false,
      },
      alerts: { rules: [] },
      audit: { arguments: false },
      defaults: {},
    });
  });

  it('keeps what an earlier panel wrote and this one does not know', () => {
    const kept = { sampling: { hiddenIntervalMs: 30_000, own: true }, own: [1] };
    expect(settingsSchema.parse(kept)).toEqual({ ...defaultSettings, ...kept });
  });

  it('holds the defaults of servers to the bounds of servers', () => {
    const parse = (defaults: unknown) => settingsSchema.safeParse({ defaults }).success;
    expect(parse({ limits: { maxMemoryMiB: 64 }, health: { onStall: 'notify' } })).toBe(true);
    expect(parse({ limits: { maxMemoryMiB: 0 } })).toBe(false);
    expect(parse({ restart: { maxPerHour: Number.NaN } })).toBe(false);
    expect(parse({ restart: { maxRestartAttempts: 0 } })).toBe(false);
    expect(parse({ restart: { enabled: false } })).toBe(true);
    expect(parse({ health: { onStall: 'explode' } })).toBe(false);
  });
});

describe('withPanelDefaults', () => {
  it("prefers a server's own settings to the person's, and those to ours", () => {
    const panel = withPanelDefaults(
      { limits: { maxMemoryMiB: 64 } },
      { limits: { maxMemoryMiB: 512, maxOpenFiles: 50 } },
    );
    expect(panel.limits).toEqual({ ...defaultPanelSettings.limits, maxMemoryMiB: 64, maxOpenFiles: 50 });
    expect(withPanelDefaults(undefined, {})).toEqual(defaultPanelSettings);
  });
});
