import { describe, expect, it } from 'vitest';
import { gatewayCalls } from '../../../shared/ipc/topics/gateway.ts';

const isTaken = (wanted: unknown) => gatewayCalls.createClient.args.safeParse([wanted]).success;

describe('the call that makes a client', () => {
  it.each([
    {},
    { scopes: ['mcp'] },
    { scopes: ['metrics'] },
    { scopes: ['mcp', 'metrics'] },
    { scopes: ['mcp'], servers: ['github'] },
  ])('takes %j', (changes) => expect(isTaken({ name: 'collector', ...changes })).toBe(true));

  it.each([
    { scopes: [] },
    { scopes: ['admin'] },
    { scopes: ['metrics', 'metrics'] },
    { scopes: 'metrics' },
    { servers: [] },
    { name: '' },
  ])('refuses %j', (changes) => expect(isTaken({ name: 'collector', ...changes })).toBe(false));
});
