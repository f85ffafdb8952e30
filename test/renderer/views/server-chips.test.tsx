import { describe, expect, it } from 'vitest';
import { EndProcessDialog } from '../../../renderer/processes/end-process-dialog.tsx';
import { ServerChips } from '../../../renderer/views/server-chips.tsx';
import { ServerHeader } from '../../../renderer/views/server-header.tsx';
import type { ServerView } from '../../../shared/domain.ts';
import { aServer } from '../builders.ts';
import { render } from '../render-view.tsx';

const chips = (changes: Partial<ServerView>) => {
  const markup = render(<ServerChips server={aServer('one', changes)} />);
  return [...markup.matchAll(/<li[^>]*>([^<]*)<\/li>/g)].map(([, words]) => words);
};

describe('the chips of a server', () => {
  it('tell what it is, its process, its age and its transport, in this order', () => {
    const [version, pid, uptime, transport, restarts] = chips({
      serverInfo: { name: 'github', version: '1.2.0' },
      pid: 30_077,
      restarts24h: 2,
    });
    expect([version, pid, transport, restarts]).toEqual([
      'github 1.2.0',
      'pid 30077',
      'stdio',
      '2 restarts in 24 h',
    ]);
    expect(uptime).toMatch(/^up /);
  });

  it('leave out what there is none of', () => {
    expect(chips({ runningSince: undefined })).toEqual(['stdio']);
    expect(chips({ runningSince: undefined, autoStart: false })).toEqual(['stdio', 'by hand only']);
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
    expect(question(false)).toContain('Processes that it started live on');
  });
});
