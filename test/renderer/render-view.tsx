import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import type { Snapshot } from '../../shared/domain.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { createServices } from '../../renderer/create-services.ts';
import { applySnapshot } from '../../renderer/store/panel-store.ts';
import { ServicesContext, type Services } from '../../renderer/services.ts';
import { theme } from '../../renderer/theme.ts';
import { aSnapshot } from './builders.ts';

const never = () => new Promise<never>(() => undefined);
/** Api that never answers, whatever the contract holds. */
const silentApi = new Proxy({} as ControlPanelApi, { get: () => never });

/** The markup of a view of the given snapshot, with what `prepare` puts into the stores. */
export function render(
  view: ReactNode,
  changes: Partial<Snapshot>,
  prepare: (services: Services) => void = () => undefined,
): string {
  const services = createServices(silentApi, '');
  services.panel.setState(applySnapshot(services.panel.getState(), aSnapshot(1, changes)));
  services.history.append(
    services.panel.getState().names.map((name) => services.panel.getState().servers.get(name)!),
  );
  prepare(services);
  // On a server, zustand renders what a store held when it was created.
  for (const store of [
    services.panel,
    services.history.state,
    services.past.calls.state,
    services.view,
    services.route,
  ])
    Object.assign(store, { getInitialState: store.getState });
  return renderToString(
    <MantineProvider env="test" theme={theme}>
      <ServicesContext value={services}>{view}</ServicesContext>
    </MantineProvider>,
  );
}

/** Number of times that a part stands in the markup. */
export const count = (markup: string, part: string) => markup.split(part).length - 1;

/** Opening tag with this accessible name. */
export const tagOf = (markup: string, name: string) =>
  markup.split('<').find((tag) => tag.includes(`aria-label="${name}"`)) ?? '';
