import { describe, expect, it } from 'vitest';
import type { CallsInFlight } from '../../../shared/quit-question.ts';
import { quitLossWords } from '../../../renderer/views/manage-layer.tsx';

describe('quitLossWords', () => {
  const claude = { name: 'Claude Desktop', calls: 2 };
  it.each<[CallsInFlight, string]>([
    [{ ownCalls: 1, clients: [] }, '1 call is in flight, and will be lost. It is of this window.'],
    [
      { ownCalls: 0, clients: [claude] },
      '2 calls are in flight, and will be lost. They are of Claude Desktop.',
    ],
    [
      { ownCalls: 1, clients: [claude] },
      '3 calls are in flight, and will be lost. 1 call of this window and 2 calls of Claude Desktop.',
    ],
    [{ ownCalls: 0, clients: [] }, 'No call is in flight now.'],
  ])('says how many calls are lost, and whose: %j', (question, words) => {
    expect(quitLossWords(question)).toBe(words);
  });
});
