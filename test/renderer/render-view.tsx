import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import type { Snapshot } from '../../shared/domain.ts';
import type { Services } from '../../renderer/services.ts';
import { inWindow, servicesWith } from './in-window.ts';

/**
 * The markup of a view of the given snapshot, with what `prepare` puts into the stores, and without the marks
 * that React leaves between texts.
 */
export function render(
  view: ReactNode,
  changes: Partial<Snapshot> = {},
  prepare: (services: Services) => void = () => undefined,
): string {
  const services = servicesWith({}, changes);
  services.history.append([...services.panel.getState().servers.values()]);
  prepare(services);
  // On a server, zustand renders what a store held when it was created.
  for (const store of [
    services.panel,
    services.history.state,
    services.past.calls.state,
    services.view,
    services.route,
    services.found.state,
    services.clients.state,
    services.sessions.state,
  ])
    Object.assign(store, { getInitialState: store.getState });
  return renderToString(inWindow(services, view)).replaceAll('<!-- -->', '');
}

/** Number of times that a part stands in the markup. */
export const count = (markup: string, part: string) => markup.split(part).length - 1;

/** Opening tag with this accessible name. */
export const tagOf = (markup: string, name: string) =>
  markup.split('<').find((tag) => tag.includes(`aria-label="${name}"`)) ?? '';
