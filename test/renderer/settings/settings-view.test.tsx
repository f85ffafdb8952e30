// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { AlertsView } from '../../../shared/alerts.ts';
import type { GatewayStatus } from '../../../shared/gateway.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import { SettingsView } from '../../../renderer/settings/settings-view.tsx';
import { findSettings, isChanged } from '../../../renderer/settings/setting-index.ts';
import { settingsPages, type SettingsPage } from '../../../renderer/store/route-store.ts';
import { settingDefaults } from '../../../shared/setting-defaults.ts';
import { box, press, showView, tick } from '../hands.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { openAnswer } from '../open-answer.ts';

interface ShowOptions {
  readonly page?: SettingsPage;
  readonly doorkeeper?: GatewayStatus['doorkeeper'];
  readonly settings?: Settings;
}

/** Shows a page, and follows links to others. */
async function show({ page = 'general', doorkeeper, settings = defaultSettings }: ShowOptions = {}) {
  const patches: unknown[] = [];
  const alerts = openAnswer<AlertsView>();
  const gateway = { url: 'http://127.0.0.1:7411', port: 7411, isListening: true };
  const services = servicesWith({
    getSettings: () => Promise.resolve({ settings }),
    putSettings: (patch) => Promise.resolve(void patches.push(patch)),
    getGateway: () => Promise.resolve({ ...gateway, ...(doorkeeper && { doorkeeper }) }),
    listClients: () => Promise.resolve([]),
    getAlerts: () => alerts.promise,
  });
  const view = (shown: SettingsPage) => inWindow(services, <SettingsView page={shown} />);
  const { rerender } = await showView(services, <SettingsView page={page} />);
  return {
    patches,
    answerAlerts: alerts.resolve,
    open: (next: SettingsPage) => act(async () => rerender(view(next))),
  };
}

describe('the settings', () => {
  it('let the first client start the panel once a person has said so', async () => {
    const { patches } = await show();
    expect(box(/^Start with the first client/).checked).toBe(false);
    await tick(/^Start with the first client/);
    expect(patches).toEqual([{ gateway: { startWithClients: true } }]);
  });

  it.each<[GatewayStatus['doorkeeper'], string | undefined]>([
    [{ isReady: true }, 'While the panel is not running, a small process keeps its port.'],
    [{ isReady: false, reason: 'Its file is not there.' }, 'Its file is not there.'],
    [{ isReady: false }, 'While the panel is not running, nothing keeps its port.'],
    [undefined, undefined],
  ])('say of the doorkeeper %j: %s', async (doorkeeper, words) => {
    await show({ ...(doorkeeper && { doorkeeper }) });
    const lines = screen
      .queryAllByText(/While the panel is not running|Its file/)
      .map((line) => line.textContent);
    expect(lines).toEqual(words === undefined ? [] : [words]);
  });

  it.each(settingsPages)('have a page %s with a title, which the navigation marks', async (page) => {
    await show({ page });
    const [current] = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current'));
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe(current?.textContent);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings');
  });

  it('find a setting by its label or help, and lead to its field', async () => {
    const { open } = await show();
    const search = screen.getByRole('textbox', { name: 'Search the settings' });
    fireEvent.change(search, { target: { value: 'set up already' } });
    const link = screen.getByRole('link', { name: /^Port Gateway/ });
    expect(link.getAttribute('href')).toBe('#/settings/gateway');
    fireEvent.click(link);
    await open('gateway');
    expect(document.activeElement).toBe(screen.getByLabelText('Port'));
    expect(search).toHaveProperty('value', '');
  });

  it('lead to a field once it is there, and say when none is found', async () => {
    const { open, answerAlerts } = await show();
    const search = screen.getByRole('textbox', { name: 'Search the settings' });
    fireEvent.change(search, { target: { value: 'no such thing' } });
    expect(screen.getByRole('status').textContent).toBe('No setting has these words.');
    fireEvent.change(search, { target: { value: 'discord' } });
    fireEvent.click(screen.getByRole('link', { name: /^Webhook Alerts/ }));
    answerAlerts({ rules: [], waiting: 0, unsent: [] });
    await open('alerts');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('URL')));
  });

  it('mark what differs from the default, and lead back to it', async () => {
    const settings = { ...defaultSettings, closeToTray: false };
    const { patches } = await show({ settings });
    expect(screen.getAllByText('changed')).toHaveLength(1);
    await press('Reset Closing the window keeps the panel running');
    expect(patches).toEqual([{ closeToTray: null }]);
  });

  it('say what is usual for the defaults of servers, and mark those that were set', async () => {
    const defaults = { limits: { maxMemoryMiB: 2048 }, restart: { maxPerHour: 10 } };
    const { patches } = await show({ page: 'server-defaults', settings: { ...defaultSettings, defaults } });
    expect(screen.getByText('Usual: 1024 MiB.')).toBeDefined();
    expect(screen.getByText('Usual: 60 s. Attempts then start from zero.')).toBeDefined();
    await press(/^Reset/);
    expect(patches).toEqual([{ defaults: { limits: { maxMemoryMiB: null } } }]);
  });
});

it('no setting differs from its default in the settings of a person who has set nothing', () => {
  expect(Object.keys(settingDefaults).filter((path) => isChanged(defaultSettings, path))).toEqual([]);
  expect(isChanged({ ...defaultSettings, theme: 'dark' }, 'theme')).toBe(true);
});

it('a search finds settings by all words, in any case and order', () => {
  expect(findSettings('LOGIN start').map(({ label }) => label)).toContain('Start at login');
  expect(findSettings('memory limits')[0]).toMatchObject({ path: 'defaults.limits.maxMemoryMiB' });
});
