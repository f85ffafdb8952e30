// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { DayBar, DayProvider, useDay } from '../../../renderer/charts/day-bar.tsx';
import { formatHourMinute } from '../../../renderer/format/moments.ts';
import { TooltipLayer } from '../../../renderer/ui/tooltip-layer.tsx';
import { anEvent, aServer } from '../builders.ts';
import { inWindow, servicesWith } from '../in-window.ts';

const CELL_MS = 24 * 60_000;
const NOW = 1_250_000 * CELL_MS;

function Bar() {
  return (
    <DayProvider value={useDay()}>
      <DayBar server="one" />
      <TooltipLayer />
    </DayProvider>
  );
}

afterEach(() => {
  cleanup();
  location.hash = '';
});

it('the keys walk the parts of the day, say of each what the pointer is told, and go there', () => {
  const crash = anEvent('1', { at: NOW - 2 * CELL_MS + 5000, kind: 'crashed', server: 'one' });
  const up = anEvent('2', {
    at: NOW - 2 * CELL_MS + 7000,
    kind: 'restarted',
    server: 'one',
    detail: { attempt: 1 },
  });
  const services = servicesWith({}, { servers: [aServer('one')], events: [crash, up] });
  services.clock.setState({ now: NOW + 1000 });
  const { getByRole } = render(inWindow(services, <Bar />));
  const bar = getByRole('slider', { name: 'Last 24 hours of one' });
  const press = (key: string) => fireEvent.keyDown(bar, { key });
  const said = () => bar.getAttribute('aria-valuetext');
  expect(said()).toBe('problems in 1 part of the day');
  press('ArrowLeft');
  expect(said()).toBe(`${formatHourMinute(NOW)}–${formatHourMinute(NOW + CELL_MS)} · fine`);
  press('ArrowLeft');
  press('ArrowLeft');
  const words = `${formatHourMinute(NOW - 2 * CELL_MS)}–${formatHourMinute(NOW - CELL_MS)} · crashed`;
  expect(said()).toBe(words);
  expect(document.body.textContent).toContain(words);
  press('Enter');
  expect(location.hash).toBe('#/servers/one');
  expect(services.view.getState().span.choice).toMatchObject({
    ...{ kind: 'still', span: { from: NOW - 2 * CELL_MS - 3_600_000 } },
  });
  fireEvent.blur(bar);
  expect(said()).toBe('problems in 1 part of the day');
  press('Home');
  expect(bar.getAttribute('aria-valuenow')).toBe('0');
});
