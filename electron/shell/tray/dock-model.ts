import { commandsForAll, type TrayCommand, type TrayItem } from './tray-model.ts';
import type { TrayServer } from './tray-words.ts';

/** What the dock or task bar shows, as plain data. */
export interface DockModel {
  /** Number on the app's icon. */
  readonly failed: number;
  readonly items: readonly TrayItem[];
}

export const dockModel = (servers: readonly TrayServer[]): DockModel => ({
  failed: servers.filter(({ state }) => state.kind === 'failed').length,
  items: commandsForAll(servers),
});

/** Tasks of the Windows task bar, and the switches with which they start the app again. */
export const jumpTasks = [
  { title: 'Stop all', argument: '--stop-all', kind: 'stop-all' },
  { title: 'Restart failed', argument: '--restart-failed', kind: 'restart-failed' },
] as const;

/** Command of a task among the arguments of a second start; undefined without one. */
export function taskIn(argv: readonly string[]): TrayCommand | undefined {
  const task = jumpTasks.find(({ argument }) => argv.includes(argument));
  return task && { kind: task.kind };
}
