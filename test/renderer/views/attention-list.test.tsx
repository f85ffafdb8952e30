import { describe, expect, it } from 'vitest';
import { AttentionList as Cards } from '../../../renderer/views/attention-list.tsx';
import { aServer } from '../builders.ts';
import { count, render, tagOf } from '../render-view.tsx';
import { ServerList } from '../../../renderer/views/server-list.tsx';
import { Overview } from '../../../renderer/views/overview.tsx';

const lastError = {
  code: 'START_FAILED',
  message: 'Error: SLACK_BOT_TOKEN is not set (exited with code 2 before its handshake).',
  remedy: 'Set SLACK_BOT_TOKEN in its environment.',
  causeLines: ['Connecting', 'Error: SLACK_BOT_TOKEN is not set', 'See the README', 'Bye'],
} as const;
const AttentionList = ({ names }: { readonly names: readonly string[] }) => (
  <Cards names={names} look={names.length > 2 ? 'chips' : 'cards'} places={3} />
);
const failed = (name: string) => aServer(name, { state: { kind: 'failed', since: 0 }, lastError });

describe('the cards of what needs attention', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];

  it('are chips where they are many: as many as fit, and a button that lists them all', () => {
    const markup = render(<AttentionList names={names} />, { servers: names.map(failed) });
    for (const name of ['a', 'b', 'c'])
      expect(tagOf(markup, `${name}: Failed`)).toContain('aria-expanded="false"');
    expect(tagOf(markup, 'd: Failed')).toBe('');
    expect(markup).toContain('SLACK_BOT_TOKEN is not set');
    expect(tagOf(markup, 'All 5 that need attention')).toMatch(/^button /);
    expect(markup).toContain('+ 2<');
    expect(render(<AttentionList names={['a']} />, { servers: [failed('a')] })).not.toContain(
      'need attention"',
    );
  });

  it('say why and what to do, and have the ways out', () => {
    const card = render(<AttentionList names={['a']} />, { servers: [failed('a')] });
    expect(card).toContain('Error: SLACK_BOT_TOKEN is not set (exited with code 2 before its handshake)');
    expect(card).toContain('Set SLACK_BOT_TOKEN in its environment.');
    for (const name of ['Fix a…', 'Try a again', 'Logs of a', 'Copy the error of a'])
      expect(tagOf(card, name)).toMatch(/^(?:button|a) /);
  });

  it('have told the reason, so that the rows below them say the state alone; chips have not', () => {
    const state = { kind: 'failed', since: 0, reason: 'SLACK_BOT_TOKEN is not set' } as const;
    const rowsOf = (some: readonly string[]) => {
      const servers = some.map((name) => aServer(name, { state, lastError }));
      return render(<Overview />, { servers })
        .split('role="row" aria-label="')
        .slice(-some.length);
    };
    for (const row of rowsOf(['a', 'b'])) {
      expect(row).not.toContain('TOKEN is not set');
      expect(row).toContain('>Failed</span>');
    }
    for (const row of rowsOf(names)) expect(row).toContain('TOKEN is not set');
  });

  it('leave its words to a row whose server is well again', () => {
    const server = aServer('a', { busy: { calls: 1, oldestMs: 1000, oldest: 'tools/call echo' } });
    const list = <ServerList groups={[{ title: '', names: ['a'] }]} told={['a']} />;
    expect(render(list, { servers: [server] })).toContain('busy: &quot;echo&quot;');
  });

  it('say of an unstable server how often it stopped, and lead to the reasons', () => {
    const unstable = { ends24h: 2, ends7d: 14, since: 0, lastEndAt: 0 };
    const servers = [aServer('fine'), aServer('shaky', { unstable })];
    const page = render(<Overview />, { servers });
    const card = page.slice(page.indexOf('aria-label="Needs attention"'), page.indexOf('role="table"'));
    expect(count(card, 'aria-label="Details of')).toBe(1);
    expect(card).toContain('>Unstable</span>');
    expect(card).toContain('14 unplanned stops in 7 days, 2 of them in 24 h');
    expect(tagOf(card, 'Why did shaky restart?')).toContain('href="#/servers/shaky/restarts"');
    expect(tagOf(card, 'Try shaky again')).toBe('');
    expect(page).toContain('>1 fine, 1 unstable</h1>');
    const row = page.slice(page.indexOf('role="row" aria-label="shaky"'));
    expect(row).toContain('>Running</span>');
    expect(row).toContain('>Unstable</span>');
  });

  it('tell since when a server fails by its history, not since the last try', () => {
    const ago = (ms: number) => Date.now() - ms;
    const state = { kind: 'failed', since: ago(39_000) } as const;
    const server = aServer('a', { state, lastError, failingSince: ago(3 * 86_400_000 + 60_000) });
    expect(render(<AttentionList names={['a']} />, { servers: [server] })).toContain('>3 d ago</time>');
  });

  it('offer another try only to a server that is down', () => {
    const stalled = aServer('a', { state: { kind: 'stalled', since: 0, reason: 'no answer for 31 s' } });
    const card = render(<AttentionList names={['a']} />, { servers: [stalled] });
    expect(tagOf(card, 'Try a again')).toBe('');
    expect(card).toContain('No answer for 31 s');
  });
});
