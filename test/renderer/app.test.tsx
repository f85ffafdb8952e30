// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ComponentType, ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { calls } from '../../shared/ipc/topics.ts';
import { failureReport } from '../../renderer/views/failure-card.tsx';
import { App, views } from '../../renderer/app.tsx';
import type { Services } from '../../renderer/services.ts';
import { serverTabs, type Route, type ServerTab } from '../../renderer/store/route-store.ts';
import { ManageLayer } from '../../renderer/views/manage-layer.tsx';
import { sections } from '../../renderer/views/server-page.tsx';
import { aServer } from './builders.ts';
import { inWindow, servicesWith } from './in-window.ts';

const aFailure = { subject: 'the window', componentStack: '', appVersion: '1.0.0', platform: 'Linux' };

const never = () => new Promise<never>(() => undefined);

/** A route to every view: the compiler asks for one to each that there is. */
const routes: { readonly [View in Route['view']]: Extract<Route, { readonly view: View }> } = {
  servers: { view: 'servers' },
  server: { view: 'server', name: 'search', tab: 'overview' },
  usage: { view: 'usage' },
  compare: { view: 'compare', servers: ['search'] },
  activity: { view: 'activity' },
  logs: { view: 'logs', query: {} },
  clients: { view: 'clients' },
  settings: { view: 'settings', page: 'general' },
};

async function showWindow(
  redactReport: (text: string) => Promise<string> = never,
  { shown = <App />, changes = {} }: { shown?: ReactNode; changes?: Partial<Services> } = {},
) {
  const services = { ...servicesWith({ redactReport }, { servers: [aServer('search')] }), ...changes };
  const go = (route: Route) => act(async () => services.route.setState({ route }));
  await act(async () => render(inWindow(services, shown)));
  return { go, services };
}

let planted: { isThere: boolean; readonly undo: () => void } | undefined;

/** Plants an exception before a part of the window, which the table holds under the key. */
function plant(table: object, key: string): void {
  const Part = Reflect.get(table, key) as ComponentType<object>;
  const exception = { isThere: true, undo: () => Reflect.set(table, key, Part) };
  planted = exception;
  Reflect.set(table, key, function Broken(props: object) {
    if (exception.isThere) throw new Error('planted');
    return <Part {...props} />;
  });
}
const mend = () => {
  if (planted !== undefined) planted.isThere = false;
};
const failure = (): HTMLElement => screen.getByRole('alert');
const press = (name: string) =>
  act(async () => fireEvent.click(within(failure()).getByRole('button', { name })));

beforeEach(() => {
  // React tells the console of every exception that a boundary takes.
  vi.spyOn(console, 'error').mockReturnValue();
  vi.stubGlobal('requestIdleCallback', () => 0);
});
afterEach(() => {
  cleanup();
  planted?.undo();
  planted = undefined;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a part of the window that throws', () => {
  it.each(Object.values(routes))('costs the view $view alone, until it is tried again', async (route) => {
    plant(views[route.view], 'Component');
    const { go } = await showWindow();
    await go(route);
    expect(failure().textContent).toContain(`could not show the view ${views[route.view].title}`);
    expect(screen.getByRole('navigation', { name: 'Views' })).toBeTruthy();
    mend();
    await press('Try again');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each(Object.values(routes))('lets the way back to the view $view try again', async (route) => {
    plant(views[route.view], 'Component');
    const { go } = await showWindow();
    await go(route);
    expect(failure()).toBeTruthy();
    mend();
    await go(route.view === 'activity' ? { view: 'usage' } : { view: 'activity' });
    expect(screen.queryByRole('alert')).toBeNull();
    await go(route);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each(serverTabs)('costs the section %s alone, not the page of the server', async (tab: ServerTab) => {
    plant(sections, tab);
    const { go } = await showWindow();
    await go({ view: 'server', name: 'search', tab });
    expect(failure().textContent).toContain(' of search');
    expect(screen.getByRole('navigation', { name: 'Sections of search' })).toBeTruthy();
    await go({ view: 'server', name: 'search', tab: tab === 'sessions' ? 'calls' : 'sessions' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('offers a report with the version, the view and the components, after secrets were looked for in it', async () => {
    plant(views.usage, 'Component');
    let answer: (report: string) => void = () => undefined;
    const asked: string[] = [];
    const { go } = await showWindow((text) => {
      asked.push(text);
      return new Promise((resolve) => (answer = resolve));
    });
    await go({ view: 'usage' });
    expect(within(failure()).queryByRole('button', { name: 'Copy report' })).toBeNull();
    expect(asked.at(-1)).toMatch(
      /^MCP Control Panel 1\.0\.0 could not show the view Usage\.\n[^]*\nplanted\n[^]*at Broken/,
    );
    await act(async () => answer('the redacted report'));
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await press('Copy report');
    expect(writeText).toHaveBeenCalledWith('the redacted report');
  });

  it('costs a dialog alone, which can be closed', async () => {
    const { services } = await showWindow(never, { shown: <ManageLayer /> });
    const broken = { kind: 'remove', servers: undefined } as never;
    await act(async () => services.manage.open(broken));
    expect(screen.getByRole('alert', { hidden: true }).textContent).toContain('could not show this dialog');
    await act(async () => services.manage.close());
    expect(screen.queryByRole('alert', { hidden: true })).toBeNull();
    await act(async () => services.manage.open({ kind: 'remove', servers: ['search'] }));
    expect(screen.getByRole('dialog', { hidden: true }).textContent).toContain('search');
  });

  it('costs the window where it is in none of its parts, which can then be loaded again', async () => {
    await showWindow(never, { changes: { settings: undefined as never } });
    expect(failure().textContent).toContain('could not show the window');
    const reload = vi.spyOn(window.location, 'reload').mockReturnValue();
    await press('Reload window');
    expect(reload).toHaveBeenCalledOnce();
  });

  it('sends no longer report than the main process takes', () => {
    const report = failureReport({ ...aFailure, error: new Error('x'.repeat(50_000)) });
    expect(calls.redactReport.args.safeParse([report]).success).toBe(true);
    expect(calls.redactReport.args.safeParse([`${report}x`]).success).toBe(false);
  });
});
