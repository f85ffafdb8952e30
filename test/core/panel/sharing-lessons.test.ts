import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createPanel } from '../../../electron/core/panel/control-panel.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { panelOptions } from './open-test-panel.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let home: string;
beforeEach(() => {
  home = tempFolder('lessons-');
});

describe('that a server asks its clients', () => {
  it('is known to the next run of the panel before the server has started', async () => {
    const one = { ...fixtureServer('--ask-back=elicitation/create'), panel: { autoStart: false } };
    writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { one } }));
    const first = await createPanel(panelOptions(home));
    try {
      first.start();
      const params = { name: 'pid', arguments: {} };
      await first.sessions.call({ callId: 'c', name: 'one', method: 'tools/call', params });
      await waitUntil(() => first.sessions.view('one').sharing.asksClients === true, 'the lesson');
    } finally {
      await first.dispose();
    }
    const second = await createPanel(panelOptions(home));
    try {
      second.start();
      expect(second.sessions.view('one').sharing).toMatchObject({ reason: 'learnt', asksClients: true });
    } finally {
      await second.dispose();
    }
  });
});
