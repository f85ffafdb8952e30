import type { GatewayPages } from './gateway-pages.ts';
import type { PanelBase } from './panel-base.ts';
import type { FiguresParts } from './wire-figures.ts';
import type { ServersParts } from './wire-servers.ts';

/** Parts of the panel that the gateway is built on. */
export interface GatewayDeps
  extends
    PanelBase,
    Pick<ServersParts, 'fleet' | 'ownRuns' | 'sessions' | 'sharing'>,
    Pick<FiguresParts, 'clientCalls' | 'history'> {
  readonly pages: GatewayPages;
}
