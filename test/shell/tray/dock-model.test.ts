import { expect, it } from 'vitest';
import { dockModel, jumpTasks, taskIn } from '../../../electron/shell/tray/dock-model.ts';
import type { TrayServer } from '../../../electron/shell/tray/tray-words.ts';

const server = (name: string, kind: TrayServer['state']['kind']) =>
  ({ name, state: { kind, since: 0 }, restartAttempt: 0 }) as unknown as TrayServer;

it('the dock counts failed servers, and offers what can be done', () => {
  const enabled = (servers: readonly TrayServer[]) =>
    dockModel(servers).items.flatMap((item) =>
      item !== 'separator' && 'isEnabled' in item ? [item.isEnabled] : [],
    );
  expect(dockModel([server('a', 'failed'), server('b', 'running'), server('c', 'failed')]).failed).toBe(2);
  expect(enabled([server('a', 'failed'), server('b', 'running')])).toEqual([true, true]);
  expect(enabled([server('a', 'stopped')])).toEqual([false, false]);
});

it('a task of the task bar is a command of a second start, and nothing else is', () => {
  expect(jumpTasks.map(({ argument }) => taskIn(['app', argument]))).toEqual([
    { kind: 'stop-all' },
    { kind: 'restart-failed' },
  ]);
  expect(taskIn(['app', '--hidden', '--quit'])).toBeUndefined();
});
