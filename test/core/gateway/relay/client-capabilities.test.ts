import { describe, expect, it } from 'vitest';
import {
  canBeAsked,
  classOf,
  SHARED_CAPABILITIES,
  slotOfClient,
  sparesFor,
} from '../../../../electron/core/gateway/relay/client-capabilities.ts';
import type { CapabilityClass } from '../../../../electron/core/gateway/types.ts';

const classes: readonly CapabilityClass[] = ['plain', 'elicitation', 'sampling', 'elicitation+sampling'];

describe('the class of a client', () => {
  it.each([
    [{}, 'plain'],
    [{ roots: { listChanged: true }, experimental: {} }, 'plain'],
    [{ elicitation: { form: {}, url: {} } }, 'elicitation'],
    [{ sampling: {} }, 'sampling'],
    [{ sampling: { tools: {} }, elicitation: {} }, 'elicitation+sampling'],
    [{ sampling: true, elicitation: null }, 'plain'],
    [undefined, 'plain'],
    [[], 'plain'],
  ])('of %j is %s', (capabilities, expected) => {
    expect(classOf(capabilities)).toBe(expected);
  });

  it('is what its connections declare; never folders', () => {
    for (const one of classes) {
      const { clientCapabilities } = slotOfClient({ mode: 'exclusive' }, { nonce: 'n', capabilities: one });
      expect(classOf(clientCapabilities)).toBe(one);
      expect(canBeAsked(one, 'roots/list')).toBe(false);
      expect(canBeAsked(one, 'sampling/createMessage')).toBe(one.includes('sampling'));
      expect(canBeAsked(one, 'elicitation/create')).toBe(one.includes('elicitation'));
    }
    expect(SHARED_CAPABILITIES).toEqual({ elicitation: {}, sampling: {} });
  });
});

describe('the slot of a client’s session', () => {
  it('is one of its own where the server keeps a state', () => {
    const session = { nonce: 'n1', capabilities: 'sampling' } as const;
    expect(slotOfClient({ mode: 'exclusive' }, session)).toEqual({
      name: 'exclusive:n1',
      clientCapabilities: { sampling: {} },
    });
  });

  it('is the server’s own run where nobody was ever asked', () => {
    for (const capabilities of classes)
      expect(slotOfClient({ mode: 'shared' }, { nonce: 'n', capabilities })).toEqual({ name: 'shared' });
  });

  it('is that of its class where the server asks; the own run serves the class that can be asked everything', () => {
    const slots = classes.map((capabilities) =>
      slotOfClient({ mode: 'shared', asksClients: true }, { nonce: 'n', capabilities }),
    );
    expect(slots).toEqual([
      { name: 'shared:plain', clientCapabilities: {} },
      { name: 'shared:elicitation', clientCapabilities: { elicitation: {} } },
      { name: 'shared:sampling', clientCapabilities: { sampling: {} } },
      { name: 'shared' },
    ]);
  });
});

describe('further processes for clients that would wait', () => {
  it('are for servers that answer in turn, and leave room for every class of clients where the server asks', () => {
    expect(sparesFor({})).toBeUndefined();
    expect(sparesFor({ asksClients: true })).toBeUndefined();
    expect(sparesFor({ hasSpares: true })).toEqual({ reserve: 0 });
    expect(sparesFor({ hasSpares: true, asksClients: true })).toEqual({ reserve: classes.length - 1 });
  });
});
