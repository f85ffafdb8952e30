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
  readonly options: ControlPanelOptions;
  readonly files: OpenedFiles;
  readonly signals: PanelSignals;
  readonly currentTask: CurrentTask;
  readonly reader: LongReader;
  readonly pages: GatewayPages;
}
