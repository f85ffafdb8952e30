import { expect, it } from 'vitest';
import { ServerPage } from '../../../renderer/views/server-page.tsx';
import { anEvent, aServer } from '../builders.ts';
import { render } from '../render-view.tsx';

it("a server's page lists its own events within the time shown, and none of the panel's", () => {
  const at = Date.now();
  const events = [
    anEvent('0', { kind: 'started', server: 'one' }),
    anEvent('1', { at, kind: 'panel-started', server: null }),
    anEvent('2', { at, kind: 'started', server: 'one' }),
    anEvent('3', { kind: 'client-connected', server: null, detail: { client: 'Editor' } }),
    anEvent('4', { kind: 'client-refused', server: null, detail: { reason: 'token' } }),
    anEvent('5', { at, kind: 'system-resumed', server: null, detail: { sleptMs: 1000 } }),
    anEvent('6', { kind: 'crashed', server: 'another' }),
    anEvent('7', { at, kind: 'panel-quit', server: null }),
    anEvent('8', { at, kind: 'stopped', server: 'one' }),
  ];
  const page = render(<ServerPage name="one" tab="overview" />, { servers: [aServer('one')], events });
  const log = page.slice(page.indexOf('role="log"'));
  const shown = [...log.matchAll(/data-event="([^"]+)"/g)].map(([, id]) => id);
  expect(shown).toEqual(['8', '2']);
});
