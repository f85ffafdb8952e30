import { expect, it } from 'vitest';
import { usePanels } from '../../e2e/harness.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { skipWhen } from '../../support/skip-on.ts';
import { hasKeyring, KeyringSession, processesWith } from '../keyring/keyring-session.ts';

const panels = usePanels('each');
const VALUE = 'canary-7f3a9c';
const needsKeyring = skipWhen(!hasKeyring, 'gnome-keyring, dbus and gdbus are not installed here');

it('asks a real keyring from a process of the app, of which none is left', needsKeyring, async () => {
  const session = new KeyringSession();
  try {
    await session.openBus();
    await session.startKeyring('open');
    const { DBUS_SESSION_BUS_ADDRESS = '', XDG_RUNTIME_DIR = '' } = session.env;
    const servers = { needy: { ...fixtureServer(), env: { T: '${secret:T}' } } };
    const panel = await panels.launch({ servers, env: { DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR } });
    await panel.call('putSecret', { name: 'T', value: VALUE });
    expect(await panel.call('getSecretStore')).toEqual({ state: 'open', keyKind: 'keyring' });
    const isUp = async () => (await panel.snapshot()).servers[0]?.state.kind === 'running';
    await waitUntil(isUp, { deadlineMs: 20_000, describe: 'the server with a secret' });
    await waitUntil(() => processesWith('node.mojom.NodeService').length === 0, {
      deadlineMs: 5000,
      describe: 'the end of the helper',
    });
  } finally {
    session.dispose();
  }
});
