import { describe, expect, it } from 'vitest';
import { calls } from '../../shared/ipc/topics.ts';
import { panelEventSchema } from '../../shared/events.ts';
import { ownValue } from '../../shared/own-value.ts';
import { objectNames } from '../fixtures/object-names.ts';

const named = (name: string, value: unknown) => Object.fromEntries([[name, value]]);

describe.each(objectNames)('the name %s', (name) => {
  it('is found only where the object itself has it', () => {
    expect(ownValue({}, name)).toBeUndefined();
    expect(ownValue(named(name, 'own'), name)).toBe('own');
  });

  it('stays in the entries and arguments of calls, at every depth', () => {
    const entry = { name, ...named(name, 1), env: named(name, 'a'), headers: named(name, 'b') };
    const server = calls.putServer.args.parse([entry, { basedOn: { name, entry } }]);
    expect(server).toStrictEqual([entry, { basedOn: { name, entry } }]);
    const params = { ...named(name, 1), name, arguments: named(name, named(name, 2)) };
    const call = { callId: 'a', name, method: 'tools/call', params };
    expect(calls.callServer.args.parse([call])).toStrictEqual([call]);
    expect(calls.putSettings.args.parse([named(name, 1)])).toStrictEqual([named(name, 1)]);
  });

  it('stays in what servers answer and events tell', () => {
    const outcome = { result: named(name, named(name, 1)), durationMs: 1 };
    expect(calls.callServer.result.parse(outcome)).toStrictEqual(outcome);
    const event = { id: '1', at: 1, server: name, kind: 'started', detail: named(name, 1) };
    expect(panelEventSchema.parse(event)).toStrictEqual(event);
  });
});

it('refuses an entry without a valid name as before, by the place of the name', () => {
  for (const entry of [{}, { name: 'a b' }, undefined, []]) {
    const { error } = calls.putServer.args.safeParse([entry]);
    expect(error?.issues.length).toBeGreaterThan(0);
  }
  expect(calls.putServer.args.safeParse([{ name: 'a b' }]).error?.issues[0]?.path).toEqual([0, 'name']);
});
