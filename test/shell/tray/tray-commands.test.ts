import { describe, expect, it } from 'vitest';
import type { ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import { jumpTasks, performTrayCommand, taskIn } from '../../../electron/shell/tray/tray-commands.ts';
import type { TrayCommand } from '../../../electron/shell/tray/tray-model.ts';

function createTargets(fails = false, mayStopAll = true) {
  const done: string[] = [];
  const notices: string[] = [];
  const command = (words: string) => (name: string) => {
    done.push(`${words} ${name}`);
    return fails ? Promise.reject(new Error('it would not')) : Promise.resolve();
  };
  const many = (words: string) => () => {
    done.push(words);
    const failures = fails ? [{ server: 'b', error: new Error('it would not') }] : [];
    return Promise.resolve({ servers: ['a', 'b'], failures });
  };
  const servers = {
    stopAll: many('stop all'),
    restartFailed: many('restart failed'),
    start: command('start'),
    stop: command('stop'),
    restart: command('restart'),
  };
  const targets = {
    panel: Promise.resolve({ servers } as unknown as ControlPanel),
    window: {
      show: () => void done.push('show'),
      showPage: (fragment: string) => void done.push(fragment),
      showServer: (name: string) => void done.push(`open ${name}`),
    },
    quit: () => void done.push('quit'),
    quitAndStopServing: () => void done.push('quit and stop serving'),
    mayStopAll: () => Promise.resolve(mayStopAll),
    notice: (line: string) => void notices.push(line),
  };
  return { targets, done, notices };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('performTrayCommand', () => {
  it.each<[TrayCommand, string]>([
    [{ kind: 'start', server: 'a' }, 'start a'],
    [{ kind: 'stop', server: 'a' }, 'stop a'],
    [{ kind: 'restart', server: 'a' }, 'restart a'],
    [{ kind: 'open', server: 'a' }, 'open a'],
    [{ kind: 'stop-all' }, 'stop all'],
    [{ kind: 'restart-failed' }, 'restart failed'],
    [{ kind: 'settings' }, '#/settings'],
    [{ kind: 'about' }, '#/settings/about'],
    [{ kind: 'show-window' }, 'show'],
    [{ kind: 'quit' }, 'quit'],
    [{ kind: 'quit-and-stop-serving' }, 'quit and stop serving'],
  ])('%j does "%s"', async (command, words) => {
    const { targets, done, notices } = createTargets();
    performTrayCommand(command, targets);
    await settle();
    expect(done).toEqual([words]);
    expect(notices).toEqual([]);
  });

  it('stops no server when the person keeps the calls that are in flight', async () => {
    const { targets, done } = createTargets(false, false);
    performTrayCommand({ kind: 'stop-all' }, targets);
    await settle();
    expect(done).toEqual([]);
  });

  it('tells of a command that failed', async () => {
    const { targets, notices } = createTargets(true);
    performTrayCommand({ kind: 'start', server: 'a' }, targets);
    await settle();
    expect(notices).toEqual(['start a: it would not']);
  });

  it('tells of each server that could not be stopped with the others', async () => {
    const { targets, notices } = createTargets(true);
    performTrayCommand({ kind: 'stop-all' }, targets);
    await settle();
    expect(notices).toEqual(['stop b: it would not']);
  });
});

it('a task of the task bar is a command of a second start, and nothing else is', () => {
  expect(jumpTasks.map(({ argument }) => taskIn(['app', argument]))).toEqual([
    { kind: 'stop-all' },
    { kind: 'restart-failed' },
  ]);
  expect(taskIn(['app', '--hidden', '--quit'])).toBeUndefined();
});
