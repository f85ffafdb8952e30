import { expect, it } from 'vitest';
import { Emitter } from '../../../electron/core/emitter.ts';
import { keyringAsker } from '../../../electron/core/secrets/ask-keyring.ts';
import { createFakeClock } from '../fake-clock.ts';

const question = { kind: 'read', account: 'home' } as const;

function open() {
  const clock = createFakeClock();
  const ended = new AbortController();
  const messages = new Emitter<unknown>();
  const ends = new Emitter<string>();
  const sent: unknown[] = [];
  let kills = 0;
  const startHelper = () => ({
    send: (message: unknown) => void sent.push(message),
    onMessage: (listener: (message: unknown) => void) => void messages.subscribe(listener),
    onEnd: (listener: (reason: string) => void) => void ends.subscribe(listener),
    kill: () => void (kills += 1),
  });
  const ask = keyringAsker({ clock, startHelper, ended: ended.signal });
  return { ask, clock, ended, ends, messages, sent, kills: () => kills };
}

it.each([
  [{ value: 'key' }, { kind: 'found', value: 'key' }],
  [{ value: null }, { kind: 'none' }],
  [{ failure: 'unlock prompt was dismissed' }, { kind: 'refused', reason: 'unlock prompt was dismissed' }],
  [{ failure: 'Platform failure: no bus' }, { kind: 'absent', reason: 'Platform failure: no bus' }],
  ['nonsense', { kind: 'absent', reason: 'its helper gave no answer' }],
])('the answer %j of the helper is told, and the helper is killed', async (message, answer) => {
  const { ask, messages, sent, kills } = open();
  const answered = ask(question, 5000);
  expect(sent).toEqual([question]);
  messages.emit(message);
  expect(await answered).toEqual(answer);
  expect(kills()).toBe(1);
});

it('a helper that is silent is killed when its time is over, and one that asks when the panel ends at once', async () => {
  const silent = open();
  const first = silent.ask(question, 5000);
  await silent.clock.advance(5000);
  expect(await first).toEqual({ kind: 'silent', waitedMs: 5000 });
  expect(silent.kills()).toBe(1);

  const quitting = open();
  const second = quitting.ask(question, 5000);
  quitting.ended.abort();
  expect(await second).toMatchObject({ kind: 'absent' });
  expect(quitting.kills()).toBe(1);
  expect(await quitting.ask(question, 5000)).toMatchObject({ kind: 'absent' });
  expect(quitting.sent).toHaveLength(1);
});

it('a helper that ends without an answer is no keyring', async () => {
  const { ask, ends } = open();
  const answered = ask(question, 5000);
  ends.emit('its helper ended (1)');
  expect(await answered).toEqual({ kind: 'absent', reason: 'its helper ended (1)' });
});
