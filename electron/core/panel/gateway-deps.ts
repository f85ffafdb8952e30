import type { CurrentTask } from '../current-task.ts';
import type { LongReader } from '../mcp/worker/questions.ts';
import type { GatewayPages } from './gateway-pages.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import type { PanelSignals } from './panel-signals.ts';
import type { FiguresParts } from './wire-figures.ts';
import type { ServersParts } from './wire-servers.ts';

/** Parts of the panel that the gateway is built on. */
export interface GatewayDeps
  extends
    Pick<ServersParts, 'fleet' | 'ownRuns' | 'sessions' | 'sharing'>,
    Pick<FiguresParts, 'clientCalls' | 'history'> {
  readonly options: Pick<
    ControlPanelOptions,
    | 'appVersion'
    | 'clock'
    | 'home'
    | 'parentEnvironment'
    | 'randomBytes'
    | 'startDoorkeeper'
    | 'userHome'
    | 'wallClock'
  >;
  readonly files: Pick<
    OpenedFiles,
    | 'approvals'
    | 'clients'
    | 'journal'
    | 'notice'
    | 'ownEndpoint'
    | 'rewrites'
    | 'servers'
    | 'sessionIds'
    | 'settings'
  >;
  readonly signals: Pick<
    PanelSignals,
    'figuresChanged' | 'fleetChanged' | 'offerChanged' | 'serverChanged' | 'stateChanged'
  >;
  readonly currentTask: CurrentTask;
  readonly reader: LongReader;
  readonly pages: GatewayPages;
}
