import { describe, expect, it } from 'vitest';
import {
  historyWords,
  loginHint,
  notificationProblemWords,
} from '../../../renderer/settings/settings-pages.tsx';

describe('loginHint', () => {
  it.each([
    ['MacIntel', 'System Settings › General › Login Items'],
    ['Win32', 'Task Manager › Startup apps'],
    ['Linux x86_64', "the desktop's list of startup programs"],
  ])('names the list of %s in which it was switched off, and the way back', (platform, list) => {
    expect(loginHint('switched-off', platform)).toBe(
      `It was switched off in ${list}. Ticking this switches it on there as well.`,
    );
    expect(loginHint('needs-approval', platform)).toContain(`Allow it in ${list}`);
  });

  it.each(['on', 'off', undefined] as const)(
    'only says what it is good for when the system is: %s',
    (state) => {
      expect(loginHint(state, 'Win32')).toBe('Servers are up before you need them.');
    },
  );
});

it('tells why notifications do not appear, in one sentence, and what to do', () => {
  expect(notificationProblemWords('UNErrorDomain error 1.', 'MacIntel')).toBe(
    'Notifications do not appear: UNErrorDomain error 1. ' +
      'Allow them in System Settings › Notifications; macOS shows none of an app that is not signed.',
  );
  expect(notificationProblemWords(null, 'Linux x86_64')).toBe('This desktop has no notification service.');
  expect(notificationProblemWords('denied', 'Linux x86_64')).toBe(
    "Notifications do not appear: denied. Allow them in the system's settings.",
  );
});

const oldestAt = new Date(2026, 8, 1, 12).getTime();

describe('the words on the history', () => {
  it('say how large the file is, and since when', () => {
    expect(historyWords({ keptIn: 'file', path: '/a', sizeBytes: 12.4 * 2 ** 20, oldestAt })).toBe(
      '12.4 MiB · since 2026-09-01',
    );
    expect(historyWords({ keptIn: 'file', path: '/a' })).toBe('Nothing yet.');
  });

  it('say first that nothing outlives the panel where there is no file', () => {
    expect(historyWords({ keptIn: 'memory', oldestAt })).toBe(
      'Only in memory, until the panel quits · since 2026-09-01',
    );
  });
});
