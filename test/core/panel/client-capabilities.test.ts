import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openFiles } from '../../../electron/core/panel/open-files.ts';
import { wireParts } from '../../../electron/core/panel/wire-parts.ts';
import { fixtureServer, readMessages, waitUntil } from '../../fixtures/fixture-server.ts';
import { stdioConfig } from '../sessions/fake-servers.ts';
import { openTestPanel, panelOptions } from './open-test-panel.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder('capabilities-');
});

const messageLog = () => join(folder, 'messages');
const commandLine = () => fixtureServer(`--message-log=${messageLog()}`);
/** Capabilities that each run of the server was told in its handshake, in order. */
const declared = () =>
  readMessages(messageLog()).flatMap(({ method, params }) =>
    method === 'initialize' ? [params?.['capabilities']] : [],
  );

describe('what the panel declares to servers', () => {
  it('is what it was created with, to the own run of a server, a further one and a test of the connection', async () => {
    const opened = await openTestPanel(
      { one: { ...commandLine(), panel: { sessions: { mode: 'exclusive' } } } },
      { clientCapabilities: { sampling: {} } },
    );
    const { panel } = opened;
    try {
      panel.start();
      await waitUntil(() => panel.getSnapshot().servers[0]?.state.kind === 'running', 'the start');
      const params = { name: 'pid', arguments: {} };
      await panel.sessions.call({ callId: 'c', name: 'one', method: 'tools/call', params });
      await panel.entries.testConnection({ name: 'two', ...commandLine() });
    } finally {
      await opened.dispose();
    }
    expect(declared()).toEqual([{ sampling: {} }, { sampling: {} }, { sampling: {} }]);
  });

  it.each([
    [
      'what clients of the gateway may be asked, without their folders',
      true,
      { elicitation: {}, sampling: {} },
    ],
    ['nothing where the gateway is off', false, {}],
  ])('is %s; for a further run what its slot says', async (_what, enabled, expected) => {
    const options = panelOptions(folder);
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ version: 1, gateway: { enabled } }));
    const files = await openFiles(options);
    const { supervisors, telemetry, hub } = wireParts(options, files);
    supervisors.openGate();
    const own = supervisors.create(stdioConfig('one', commandLine()));
    const further = supervisors.create(stdioConfig('one#2', commandLine()), 'one', { elicitation: {} });
    try {
      await own.start();
      await further.start();
    } finally {
      await Promise.all([own.stop(), further.stop()]);
      for (const part of [files.settings, files.servers, telemetry, hub, options.table]) part.dispose();
      await files.custody.close();
      await files.journal.dispose();
    }
    expect(declared()).toEqual([expected, { elicitation: {} }]);
  });
});
