// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import type { SecretStoreView } from '../../../shared/secret-store.ts';
import { MissingDialog } from '../../../renderer/secrets/missing-dialog.tsx';
import { SecretsSection } from '../../../renderer/secrets/secrets-section.tsx';
import { button, press, showView, type } from '../hands.ts';
import { servicesWith } from '../in-window.ts';

const open: SecretStoreView = { state: 'open', keyKind: 'keyring' };

function showSecrets(store: SecretStoreView, api: Partial<ControlPanelApi> = {}) {
  const services = servicesWith({
    getSecretStore: () => Promise.resolve(store),
    listSecrets: () => Promise.resolve([{ name: 'GITHUB_TOKEN', usedBy: ['github'], setAt: 0 }]),
    listPlainSecrets: () => Promise.resolve([]),
    ...api,
  });
  return showView(services, <SecretsSection />);
}

describe('the section of secrets', () => {
  it.each<[SecretStoreView, RegExp, readonly string[]]>([
    [{ state: 'none' }, /No secrets are kept yet/, ['Use a passphrase…', 'Keep the key in a file']],
    [open, /key is in the system’s keyring/, ['Use a passphrase…', 'Keep the key in a file']],
    [{ state: 'open', keyKind: 'file' }, /anyone who can read your files/, ['Keep the key in the keyring']],
    [{ state: 'locked', keyKind: 'keyring' }, /did not return the key/, ['Unlock']],
    [{ state: 'locked', keyKind: 'passphrase' }, /needs your passphrase/, ['Unlock']],
    [{ state: 'no-keyring' }, /No keyring answers/, ['Ask again', 'Use a passphrase…']],
    [{ state: 'key-missing', keyKind: 'keyring' }, /does not contain their key/, ['Ask again', 'Start over']],
    [{ state: 'damaged', problem: 'not JSON' }, /cannot be used: not JSON/, ['Start over']],
  ])('says of %j what is the matter, with the choices', async (store, words, buttons) => {
    await showSecrets(store);
    expect(screen.getByRole('status').textContent).toMatch(words);
    for (const name of buttons) expect(button(name)).toBeDefined();
  });

  it('replaces a value without ever showing the old one, and says who restarts', async () => {
    const put: unknown[] = [];
    await showSecrets(open, { putSecret: (secret) => Promise.resolve(void put.push(secret)) });
    await press('Replace GITHUB_TOKEN');
    expect(screen.getByText('1 server will restart once: github.')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>('Value')).toMatchObject({ value: '', type: 'password' });
    await type('Value', 'ghp_new');
    await press('Replace');
    expect(put).toEqual([{ name: 'GITHUB_TOKEN', value: 'ghp_new' }]);
  });

  it('says that alerts use a secret, which cannot be deleted then', async () => {
    const listSecrets = () =>
      Promise.resolve([{ name: 'HOOK', usedBy: [], isUsedByAlerts: true as const, setAt: 0 }]);
    await showSecrets(open, { listSecrets });
    expect(screen.getByRole('link', { name: 'alerts' }).getAttribute('href')).toBe('#/settings/alerts');
    expect(screen.queryByText('nothing')).toBeNull();
    expect(button('Delete HOOK').disabled).toBe(true);
  });
});

describe('the question for what a definition leaves open', () => {
  it('keeps a secret as one unless a person says otherwise, and saves all answers at once', async () => {
    const answered: unknown[] = [];
    const asks = [
      {
        name: '<YOUR_TOKEN>',
        label: 'TOKEN',
        kind: 'placeholder' as const,
        isSecret: true,
        place: ['env', 'TOKEN'],
      },
      { name: 'REGION', label: 'REGION', kind: 'variable' as const, isSecret: false, place: ['args', 1] },
    ];
    const services = servicesWith({
      listMissing: () => Promise.resolve([{ server: 'maps', asks }]),
      answerMissing: (given) => Promise.resolve(void answered.push(given)),
    });
    await showView(services, <MissingDialog server="maps" />);
    expect(button('Save and start').disabled).toBe(true);
    await type('TOKEN', 'abc');
    await type('REGION', 'eu');
    await press('Save and start');
    expect(answered).toEqual([
      {
        server: 'maps',
        answers: [
          { place: ['env', 'TOKEN'], ask: '<YOUR_TOKEN>', value: 'abc', asSecret: true },
          { place: ['args', 1], ask: 'REGION', value: 'eu', asSecret: false },
        ],
      },
    ]);
  });
});
