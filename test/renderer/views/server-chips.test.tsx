import { describe, expect, it } from 'vitest';
import { EndProcessDialog } from '../../../renderer/processes/end-process-dialog.tsx';
import { ServerChips, ServerHeader } from '../../../renderer/views/server-header.tsx';
import type { ServerView } from '../../../shared/domain.ts';
import { aServer } from '../builders.ts';
import { render } from '../render-view.tsx';

const chips = (changes: Partial<ServerView>) => {
  const markup = render(<ServerChips server={aServer('one', changes)} />);
  return [...markup.matchAll(/<li[^>]*>([^<]*)<\/li>/g)].map(([, words]) => words);
};

describe('the chips of a server', () => {
  it('tell what it is and its warnings, and leave out what there is none of', () => {
    const serverInfo = { name: 'github', version: '1.2.0' };
    expect(chips({ serverInfo, isTlsUnverified: true })).toEqual(['github 1.2.0', 'certificate not checked']);
    expect(chips({})).toEqual([]);
  });
});

describe('the header of a server', () => {
  const server = aServer('one', {
    state: { kind: 'failed', since: 0, reason: 'no such module', nextRetryAt: 9e15 },
  });

  it('tells why only where the view below does not', () => {
    const told = render(<ServerHeader server={server} isCauseTold />);
    expect(told).not.toContain('no such module');
    expect(told).toContain('tries again in');
    expect(render(<ServerHeader server={server} />)).toContain('no such module');
  });

  it('has the command to copy, and the rest folded away', () => {
    const markup = render(<ServerHeader server={server} />);
    expect(markup).toContain('aria-label="Copy the command"');
    expect(markup).toMatch(/<button[^>]* aria-expanded="false">(?:<svg.*?<\/svg>)? Details<\/button>/);
  });
});

describe('the question before a process is ended', () => {
  const question = (isFirst: boolean) =>
    render(
      <EndProcessDialog
        server="one"
        process={{ pid: 71, startTime: 'b' }}
        command="node a.js"
        isFirst={isFirst}
      />,
      {},
    );

  it('names the pid and the command, and what ends with it', () => {
    expect(question(true)).toContain('End process 71?');
    expect(question(true)).toContain('node a.js');
    expect(question(true)).toContain('one ends with it');
    expect(question(false)).toContain('Processes that it started keep running');
  });
});

const header = (changes: Partial<ServerView>) =>
  render(
    <ServerHeader
      server={aServer('one', { transport: 'http', target: 'https://a.example/mcp', ...changes })}
    />,
  );

it('says of a server in a cluster where it is, and what it belongs to', () => {
  const workload = 'Deployment api in namespace tools of context kind';
  const words = header({ host: { kind: 'pod', engine: 'kind/tools', workload } });
  expect(words).toContain('in kind/tools');
  expect(words).toContain(`data-tip="${workload}. Memory and CPU are those of its pods`);
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
