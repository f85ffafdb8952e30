// @vitest-environment happy-dom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { PanelEvent, ServerView } from '../../../shared/domain.ts';
import { plotWidthOf, xOf } from '../../../renderer/charts/plot-frame.ts';
import { windowEndingAt } from '../../../renderer/charts/axis.ts';
import { formatClockTime } from '../../../renderer/format/moments.ts';
import type { Services } from '../../../renderer/services.ts';
import { ServerCharts } from '../../../renderer/views/server-overview.tsx';
import { anEvent, aSample, aServer } from '../builders.ts';
import { inWindow, servicesWith } from '../in-window.ts';
import { useFakeLayout } from '../logs/fake-layout.ts';

const SECOND = 1000;
const SPAN = 300 * SECOND;
const WIDTH = 900;
/** On a step of the window, so that the next seconds stay within one. */
const START = 1_800_000_000 * SECOND;

useFakeLayout();

const sampledServer = (at: number, memoryMiB = 64): ServerView =>
  aServer('one', { sample: aSample(at, { memoryBytes: memoryMiB * 2 ** 20, cpuPercent: 5 }) });

/** Charts of a server that was measured each second for a while, up to `START`. */
async function showCharts(events: readonly PanelEvent[] = []) {
  const services = servicesWith();
  const view = (server: ServerView) => inWindow(services, <ServerCharts server={server} events={events} />);
  services.clock.setState({ now: START });
  for (let at = START - 100 * SECOND; at <= START; at += SECOND) services.history.append([sampledServer(at)]);
  const { rerender } = render(view(sampledServer(START)));
  await waitFor(() => slider(), { timeout: 10_000 });
  return {
    services,
    /** A second passes, and brings a sample. */
    pass: (second: number, memoryMiB?: number) =>
      act(async () => {
        const server = sampledServer(START + second * SECOND, memoryMiB);
        services.clock.setState({ now: START + second * SECOND });
        services.history.append([server]);
        rerender(view(server));
      }),
  };
}

/** Number of changes to anything but the curves themselves. */
const frameChanges = (records: readonly MutationRecord[]): number =>
  records.filter(({ target }) => !(target instanceof Element && target.matches('[data-curve], circle')))
    .length;

/** Changes of frames below the elements that match, while `act` runs. */
async function changesIn(selector: string, during: () => Promise<void>): Promise<number> {
  let count = 0;
  const observer = new MutationObserver((records) => (count += frameChanges(records)));
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  const roots = [...document.querySelectorAll(selector)];
  expect(roots.length).toBeGreaterThan(0);
  for (const root of roots) observer.observe(root, all);
  await during();
  // Recharts draws in a later frame than the page around it.
  await act(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
  count += frameChanges(observer.takeRecords());
  observer.disconnect();
  return count;
}

const memoryLine = () => document.querySelector('[role="img"][aria-label^="Memory"] [data-curve="line"]');
const pathOf = () => memoryLine()?.getAttribute('d') ?? '';
const slider = () => screen.getByRole('slider', { name: 'Time cursor of one' });
const pinned = (services: Services) => services.view.getState().pinnedAt;

describe('curves that grow', () => {
  it('take a second of samples without building a chart of Recharts anew', async () => {
    const { pass } = await showCharts();
    const paths = new Set([pathOf()]);
    const changes = await changesIn('.recharts-wrapper', async () => {
      for (const second of [1, 2, 3]) {
        await pass(second);
        paths.add(pathOf());
      }
    });
    expect(changes).toBe(0);
    expect(paths.size).toBe(4);
  });

  it('build its axis anew for another scale, and only that one', async () => {
    const { pass } = await showCharts();
    const others = '[role="img"]:not([aria-label^="Memory"]) .recharts-wrapper';
    expect(await changesIn('[aria-label^="Memory"] .recharts-wrapper', () => pass(1, 900))).toBeGreaterThan(
      0,
    );
    expect(await changesIn(others, () => pass(2, 2000))).toBe(0);
  });

  it('leave all that is drawn where it is until a step of the window is full', async () => {
    const { pass } = await showCharts();
    const first = pathOf();
    await pass(3);
    expect(pathOf().startsWith(first)).toBe(true);
    await pass(4);
    expect(pathOf().startsWith(first)).toBe(false);
  });
});

describe('the cursor of the keyboard', () => {
  it('is moved by arrows, tells the figures there, and is left by Escape', async () => {
    const { services } = await showCharts([anEvent('1', { at: START - 50 * SECOND, server: 'one' })]);
    const user = userEvent.setup();
    act(() => slider().focus());
    await user.keyboard('{ArrowLeft}{ArrowLeft}{Shift>}{ArrowLeft}{/Shift}');
    const at = START - 61 * SECOND;
    expect(pinned(services)).toBe(at);
    expect(slider().getAttribute('aria-valuetext')).toContain(
      `${formatClockTime(at)}, Memory 64.0 MiB, CPU 5.0 %`,
    );
    expect(screen.getByText(`64.0 MiB at ${formatClockTime(at)}`)).toBeDefined();
    await user.keyboard('.');
    expect(pinned(services)).toBe(START - 50 * SECOND);
    expect(services.view.getState().pointedEvents).toEqual(['1']);
    let isLeftToWindow = false;
    const watch = (event: KeyboardEvent) => (isLeftToWindow ||= !event.defaultPrevented);
    document.addEventListener('keydown', watch);
    await user.keyboard('{Escape}');
    expect([pinned(services), isLeftToWindow]).toEqual([undefined, false]);
    await user.keyboard('{Escape}');
    document.removeEventListener('keydown', watch);
    expect(isLeftToWindow).toBe(true);
  });

  it('stays at its time while the window moves on', async () => {
    const { services, pass } = await showCharts();
    act(() => services.view.setState({ pinnedAt: START - 20 * SECOND }));
    const placeOf = () => Number(document.querySelector('[data-cursor] line')?.getAttribute('x1'));
    const before = placeOf();
    await pass(10);
    const stepsPx = (10 * SECOND * plotWidthOf(WIDTH)) / SPAN;
    expect(pinned(services)).toBe(START - 20 * SECOND);
    expect(placeOf()).toBeCloseTo(before - stepsPx, 3);
  });

  it('zooms to half the span around it, and Escape shows the whole again', async () => {
    await showCharts();
    const user = userEvent.setup();
    act(() => slider().focus());
    await user.keyboard('{End}+');
    expect(screen.getByRole('button', { name: 'Back to 5 min' })).toBeDefined();
    await user.keyboard('{Escape}{Escape}');
    expect(screen.queryByRole('button', { name: 'Back to 5 min' })).toBeNull();
  });
});

describe('the pointer on the charts', () => {
  const window = windowEndingAt(START, SPAN);
  const xAt = (at: number) => xOf(at, window, WIDTH);
  const svg = () => [...document.querySelectorAll('[data-charts] > svg')].at(-1)!;

  it('pins the cursor by a click, and frees it by another on the same place', async () => {
    const { services } = await showCharts();
    const at = START - 40 * SECOND;
    fireEvent.click(svg(), { clientX: xAt(at) });
    expect(pinned(services)).toBeCloseTo(at, 3);
    fireEvent.click(svg(), { clientX: xAt(at) + 2 });
    expect(pinned(services)).toBeUndefined();
  });

  it('zooms all charts to the span it drags over, and back by a double click', async () => {
    const { services } = await showCharts();
    const [from, to] = [START - 80 * SECOND, START - 20 * SECOND];
    Object.assign(Element.prototype, { setPointerCapture: () => undefined });
    fireEvent.pointerDown(svg(), { button: 0, clientX: xAt(from), pointerId: 1 });
    fireEvent.pointerMove(svg(), { clientX: xAt(to), pointerId: 1 });
    fireEvent.pointerUp(svg(), { clientX: xAt(to), pointerId: 1 });
    fireEvent.click(svg(), { clientX: xAt(to) });
    expect(pinned(services)).toBeUndefined();
    expect(Number(slider().getAttribute('aria-valuemin'))).toBeCloseTo(from, -1);
    expect(Number(slider().getAttribute('aria-valuemax'))).toBeCloseTo(to, -1);
    fireEvent.doubleClick(svg());
    expect(screen.queryByRole('button', { name: 'Back to 5 min' })).toBeNull();
  });

  it('holds the window still while it moves, and lets it go when it leaves', async () => {
    const { pass } = await showCharts();
    const ends = () => Number(slider().getAttribute('aria-valuemax'));
    fireEvent.pointerMove(svg(), { clientX: 400 });
    const before = ends();
    await pass(12);
    expect(ends()).toBe(before);
    await act(async () => void fireEvent.pointerLeave(svg()));
    expect(ends()).toBe(windowEndingAt(START + 12 * SECOND, SPAN).to);
  });
});
