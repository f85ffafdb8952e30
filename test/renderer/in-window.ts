import { MantineProvider } from '@mantine/core';
import { createElement, type ReactNode } from 'react';
import type { Snapshot } from '../../shared/domain.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { createServices } from '../../renderer/create-services.ts';
import { applySnapshot } from '../../renderer/store/panel-store.ts';
import { ServicesContext, type Services } from '../../renderer/services.ts';
import { theme } from '../../renderer/theme.ts';
import { aSnapshot } from './builders.ts';

const never = () => new Promise<never>(() => undefined);

/** Services over a bridge with these answers, which never answers anything else, whatever the contract holds. */
export function servicesWith(
  answers: Partial<ControlPanelApi> = {},
  snapshot?: Partial<Snapshot>,
  hash = '',
): Services {
  const api = new Proxy(answers as ControlPanelApi, {
    get: (target, name) => (Reflect.get(target, name) as unknown) ?? never,
  });
  const services = createServices(api, hash);
  const { panel } = services;
  if (snapshot !== undefined) panel.setState(applySnapshot(panel.getState(), aSnapshot(1, snapshot)));
  return services;
}

/** A view with all that is around it in the window. */
export function inWindow(services: Services, view: ReactNode): ReactNode {
  const inServices = createElement(ServicesContext, { value: services }, view);
  return createElement(MantineProvider, { env: 'test', theme }, inServices);
}
