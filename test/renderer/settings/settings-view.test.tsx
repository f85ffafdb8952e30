// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { GatewayStatus } from '../../../shared/gateway.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import { SettingsView } from '../../../renderer/settings/settings-view.tsx';
import { inWindow, servicesWith } from '../in-window.ts';

afterEach(cleanup);

async function show(doorkeeper?: GatewayStatus['doorkeeper']) {
  const patches: unknown[] = [];
  const gateway = { url: 'http://127.0.0.1:7411', port: 7411, isListening: true };
  const services = servicesWith({
    getSettings: () => Promise.resolve({ settings: defaultSettings }),
    putSettings: (patch) => Promise.resolve(void patches.push(patch)),
    getGateway: () => Promise.resolve({ ...gateway, ...(doorkeeper && { doorkeeper }) }),
    listClients: () => Promise.resolve([]),
  });
  await act(async () => render(inWindow(services, <SettingsView />)));
  return patches;
}

describe('the settings', () => {
  it('let the first client start the panel once a person has said so', async () => {
    const patches = await show();
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Start with the first client/ });
    expect(box.checked).toBe(false);
    await act(async () => fireEvent.click(box));
    expect(patches).toEqual([{ gateway: { startWithClients: true } }]);
  });

  it.each<[GatewayStatus['doorkeeper'], string | undefined]>([
    [{ isReady: true }, 'While the panel is away, a small process keeps its port.'],
    [{ isReady: false, reason: 'Its file is not there.' }, 'Its file is not there.'],
    [{ isReady: false }, 'While the panel is away, nothing keeps its port.'],
    [undefined, undefined],
  ])('say of the doorkeeper %j: %s', async (doorkeeper, words) => {
    await show(doorkeeper);
    const lines = screen.queryAllByText(/While the panel is away|Its file/).map((line) => line.textContent);
    expect(lines).toEqual(words === undefined ? [] : [words]);
  });
});
