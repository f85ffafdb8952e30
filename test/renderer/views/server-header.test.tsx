import { expect, it } from 'vitest';
import type { ServerView } from '../../../shared/domain.ts';
import { ServerHeader } from '../../../renderer/views/server-header.tsx';
import { aServer } from '../builders.ts';
import { render } from '../render-view.tsx';

const header = (changes: Partial<ServerView>) =>
  render(
    <ServerHeader
      server={aServer('one', { transport: 'http', target: 'https://a.example/mcp', ...changes })}
    />,
  );

it('says of a server whose certificate is not checked that it is not, and nothing of the others', () => {
  expect(header({ isTlsUnverified: true })).toContain('certificate not checked');
  expect(header({})).not.toContain('certificate');
});

it('says of an unstable server since when it runs, and then how often it stopped', () => {
  const unstable = { ends24h: 2, ends7d: 14, since: 0, lastEndAt: 0 };
  const state = { kind: 'running', since: Date.now() } as const;
  const words = header({ unstable, state })
    .replaceAll(/<[^>]*>/g, '|')
    .replaceAll(/\|+/g, '|');
  expect(words).toMatch(
    /\|Running\|since [\d:]+\|Unstable\|14 unplanned stops in 7 days, 2 of them in 24 h\|/,
  );
});
