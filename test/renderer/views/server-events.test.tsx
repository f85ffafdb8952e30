import { expect, it } from 'vitest';
import { ServerPage } from '../../../renderer/views/server-page.tsx';
import { anEvent, aServer } from '../builders.ts';
import { render } from '../render-view.tsx';

it("a server's page lists its own events, and of the panel's those that happen to all servers", () => {
  const events = [
    anEvent('1', { kind: 'panel-started', server: null }),
    anEvent('2', { kind: 'started', server: 'one' }),
    anEvent('3', { kind: 'client-connected', server: null, detail: { client: 'Editor' } }),
    anEvent('4', { kind: 'client-refused', server: null, detail: { reason: 'token' } }),
    anEvent('5', { kind: 'system-resumed', server: null, detail: { sleptMs: 1000 } }),
    anEvent('6', { kind: 'crashed', server: 'another' }),
    anEvent('7', { kind: 'panel-quit', server: null }),
  ];
  const page = render(<ServerPage name="one" tab="overview" />, { servers: [aServer('one')], events });
  const log = page.slice(page.indexOf('role="log"'));
  const shown = [...log.matchAll(/data-event="([^"]+)"/g)].map(([, id]) => id);
  expect(shown).toEqual(['7', '5', '2', '1']);
});
