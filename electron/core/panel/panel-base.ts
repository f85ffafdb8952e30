import type { CurrentTask } from '../current-task.ts';
import type { MessageThread } from '../mcp/message-thread.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import type { PanelSignals } from './panel-signals.ts';

/** The objects that every part of the panel is built on. */
export interface PanelBase {
  readonly options: ControlPanelOptions;
  readonly files: OpenedFiles;
  readonly signals: PanelSignals;
  readonly currentTask: CurrentTask;
  readonly reader: MessageThread;
}
