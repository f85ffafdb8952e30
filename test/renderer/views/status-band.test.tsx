// @vitest-environment happy-dom
import { cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { PanelEvent } from '../../../shared/domain.ts';
import type { PastEventsQuery } from '../../../shared/history.ts';
import { StatusBand } from '../../../renderer/views/status-band.tsx';
import { anEvent, aServer } from '../builders.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { DAY_MS } from '../../../shared/units.ts';

afterEach(cleanup);

/** The head over a panel that has just started, with what the history knows. */
function show(past: readonly PanelEvent[], events: readonly PanelEvent[]) {
  const asked: PastEventsQuery[] = [];
  const getPastEvents = (query: PastEventsQuery) => {
    asked.push(query);
    return Promise.resolve({ events: [...past], hasMore: false, total: past.length });
  };
  const services = servicesWith({ getPastEvents }, { servers: [aServer('one')], events: [...events] });
  render(inWindow(services, <StatusBand look="tiles" />));
  return asked;
}

const text = () => document.body.textContent ?? '';
const ago = (ms: number) => Date.now() - ms;
const started = () => anEvent('9', { at: ago(44_000), kind: 'panel-started', server: null });

it('says since when nothing was wrong by the history, not by the start of the panel', async () => {
  const asked = show(
    [anEvent('1', { at: ago(3 * DAY_MS), kind: 'stalled', server: 'github', detail: { isEnding: true } })],
    [started()],
  );
  await waitFor(() => expect(text()).toMatch(/No problems for 3 d, since github did not respond on /));
  expect(asked[0]?.kinds).toContain('crashed');
});

it('asks for nothing where the events that are here tell it', async () => {
  const crash = anEvent('8', { at: ago(2 * DAY_MS), kind: 'crashed', server: 'browser' });
  const asked = show([], [crash, started()]);
  await waitFor(() => expect(text()).toMatch(/No problems for 2 d, since browser crashed on /));
  expect(asked).toEqual([]);
});

it('claims no more than is known where the history tells of no trouble', async () => {
  show([], [started()]);
  await waitFor(() => expect(text()).toMatch(/No problems in the last \d+ s/));
});
