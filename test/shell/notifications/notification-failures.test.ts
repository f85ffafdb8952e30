import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { NotificationFailures } from '../../../electron/shell/notifications/notification-failures.ts';

it('tells once that notifications do not appear, remembers why, and forgets it when one does', () => {
  const notices: string[] = [];
  const failures = new NotificationFailures((line) => notices.push(line));
  const notification = () => {
    const shown = new EventEmitter();
    failures.watch(shown);
    return shown;
  };
  expect(failures.problem).toBeUndefined();
  notification().emit('failed', {}, 'UNErrorDomain error 1');
  notification().emit('failed', {}, 'UNErrorDomain error 2');
  expect(failures.problem).toBe('UNErrorDomain error 2');
  expect(notices).toEqual(['notifications do not appear (reported once): UNErrorDomain error 1']);
  notification().emit('show');
  expect(failures.problem).toBeUndefined();
});

it('has a reason to show where the system gives none', () => {
  const failures = new NotificationFailures(() => undefined);
  const shown = new EventEmitter();
  failures.watch(shown);
  shown.emit('failed', {}, '');
  expect(failures.problem).toBe('the system reports no reason');
});
