import type { ControlPanel } from '../../core/panel/control-panel.ts';
import type { ManyOutcome } from '../../core/panel/topics/servers.ts';
import type { TrayCommand } from './tray-model.ts';
import { messageOf } from '../../../shared/message-of.ts';

interface TrayCommandTargets {
  readonly panel: Promise<ControlPanel>;
  readonly window: { show(): void; showServer(name: string): void; showPage(fragment: string): void };
  readonly quit: () => void;
  /** Quits, and also ends the doorkeeper, the process that would answer clients after a quit. */
  readonly quitAndStopServing: () => void;
  /** Whether to stop all servers; asks the user if calls would be lost. */
  readonly mayStopAll: () => Promise<boolean>;
  /** Prints one line to the terminal. */
  readonly notice: (line: string) => void;
}

/** Tasks of the app's button in the Windows task bar. Windows runs one by starting the app again with the switch `argument`. */
export const jumpTasks = [
  { title: 'Stop all', argument: '--stop-all', kind: 'stop-all' },
  { title: 'Restart failed', argument: '--restart-failed', kind: 'restart-failed' },
] as const;

/** Returns the command of a task among the arguments of a second start; undefined if there is none. */
export function taskIn(argv: readonly string[]): TrayCommand | undefined {
  const task = jumpTasks.find(({ argument }) => argv.includes(argument));
  return task && { kind: task.kind };
}

/** Runs a command of the tray's menu. A failure is printed to the terminal; the app window shows the reason. */
export function performTrayCommand(command: TrayCommand, targets: TrayCommandTargets): void {
  const perform = (action: (panel: ControlPanel) => Promise<void>, words: string) => {
    targets.panel.then(action).catch((error: unknown) => {
      targets.notice(`${words}: ${messageOf(error)}`);
    });
  };
  const tell = (verb: string, { failures }: ManyOutcome) => {
    for (const { server, error } of failures) targets.notice(`${verb} ${server}: ${messageOf(error)}`);
  };
  switch (command.kind) {
    case 'start':
      return perform((panel) => panel.servers.start(command.server), `start ${command.server}`);
    case 'stop':
      return perform((panel) => panel.servers.stop(command.server), `stop ${command.server}`);
    case 'restart':
      return perform((panel) => panel.servers.restart(command.server), `restart ${command.server}`);
    case 'stop-all':
      return perform(async (panel) => {
        if (await targets.mayStopAll()) tell('stop', await panel.servers.stopAll());
      }, 'stop all');
    case 'restart-failed':
      return perform(
        async (panel) => tell('restart', await panel.servers.restartFailed()),
        'restart what failed',
      );
    case 'settings':
      return targets.window.showPage('#/settings');
    case 'about':
      return targets.window.showPage('#/settings/about');
    case 'open':
      return targets.window.showServer(command.server);
    case 'show-window':
      return targets.window.show();
    case 'quit':
      return targets.quit();
    case 'quit-and-stop-serving':
      return targets.quitAndStopServing();
  }
}
