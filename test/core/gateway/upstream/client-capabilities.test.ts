import { describe, expect, it } from 'vitest';
import {
  canBeAsked,
  SHARED_CAPABILITIES,
  slotOfClient,
} from '../../../../electron/core/gateway/upstream/client-capabilities.ts';
import { classOf } from '../../../../electron/core/gateway/session/initialize.ts';
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
      const { clientCapabilities } = slotOfClient(
        { mode: 'exclusive', reason: 'setting' },
        { nonce: 'n', capabilities: one },
        0,
      );
      expect(classOf(clientCapabilities)).toBe(one);
      expect(canBeAsked(one, 'roots/list')).toBe(false);
      expect(canBeAsked(one, 'sampling/createMessage')).toBe(one.includes('sampling'));
      expect(canBeAsked(one, 'elicitation/create')).toBe(one.includes('elicitation'));
    }
    expect(SHARED_CAPABILITIES).toEqual({ elicitation: {}, sampling: {} });
  });
});

describe('the slot of a client’s session', () => {
  const session = { nonce: 'n1', capabilities: 'sampling', issuedAt: 100 } as const;
  const own = { name: 'exclusive:n1', clientCapabilities: { sampling: {} } };

  it('is one of its own where the server keeps a state', () => {
    expect(slotOfClient({ mode: 'exclusive', reason: 'catalogue' }, session, 200)).toEqual(own);
  });

  it('is the server’s own run where that is shared', () => {
    for (const capabilities of classes)
      expect(slotOfClient({ mode: 'shared', reason: 'default' }, { nonce: 'n', capabilities }, 0)).toEqual({
        name: 'shared',
      });
  });

  it('is one of its own from the next session on where the server was seen to ask', () => {
    const learnt = { mode: 'exclusive', reason: 'learnt' } as const;
    expect(slotOfClient(learnt, session, 101)).toEqual({ name: 'shared' });
    expect(slotOfClient(learnt, { ...session, issuedAt: 101 }, 101)).toEqual(own);
    expect(slotOfClient(learnt, session, 0)).toEqual(own);
  });
});
