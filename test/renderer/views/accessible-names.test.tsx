import { describe, expect, it } from 'vitest';
import type { ServerView } from '../../../shared/domain.ts';
import { stateKinds, stateWords } from '../../../shared/server-states.ts';
import { Overview } from '../../../renderer/views/overview.tsx';
import { ServerPage } from '../../../renderer/views/server-page.tsx';
import { aSample, aServer, anEvent } from '../builders.ts';
import { count, render, tagOf } from '../render-view.tsx';

/** One server per state, named by it. */
const servers: ServerView[] = stateKinds.map((kind) =>
  aServer(kind, {
    state: { kind, since: 0 },
    sample: aSample(1, { memoryBytes: 182 * 1024 * 1024, cpuPercent: 2.1 }),
  }),
);

describe('Overview', () => {
  const markup = render(<Overview />, { servers, events: [anEvent('1')] });

  it('has one row, one link and three buttons per server, whatever its state', () => {
    expect(count(markup, 'role="row"')).toBe(servers.length);
    for (const { name } of servers) {
      expect(tagOf(markup, name)).toMatch(/^div role="row"/);
      expect(tagOf(markup, `Open ${name}`)).toMatch(/^a href="#\/servers\//);
      for (const verb of ['Start', 'Stop', 'Restart'])
        expect(count(markup, `aria-label="${verb} ${name}"`)).toBe(1);
    }
  });

  it('has each state word as the whole text of one element of the row', () => {
    for (const { name, state } of servers) {
      const row = markup.slice(markup.indexOf(`aria-label="${name}"`)).split('role="row"')[0]!;
      expect(count(row, `>${stateWords[state.kind]}</span>`)).toBe(1);
    }
  });

  it('has the search, the filter and the grouping where there is more than one server', () => {
    const alone = render(<Overview />, { servers: servers.slice(0, 1) });
    for (const name of ['Search servers', 'Filter', 'Group']) {
      expect(count(markup, `aria-label="${name}"`)).toBe(1);
      expect(count(alone, `aria-label="${name}"`)).toBe(0);
    }
  });

  it('disables what does not apply', () => {
    const disabled = (name: string) =>
      ['Start', 'Stop', 'Restart'].filter((verb) => tagOf(markup, `${verb} ${name}`).includes('disabled=""'));
    expect(disabled('running')).toEqual(['Start']);
    expect(disabled('stopped')).toEqual(['Stop']);
    expect(disabled('failed')).toEqual(['Stop']);
    expect(disabled('backoff')).toEqual([]);
    expect(disabled('starting')).toEqual(['Start', 'Restart']);
    expect(disabled('stopping')).toEqual(['Start', 'Stop', 'Restart']);
  });

  it('has a log named Events, and curves that assistive technology does not see', () => {
    expect(tagOf(markup, 'Events')).toContain('role="log"');
    const drawings = markup.split('<svg').slice(1);
    expect(drawings.length).toBeGreaterThan(servers.length * 2);
    for (const drawing of drawings) expect(drawing.split('>')[0]).toContain('aria-hidden="true"');
  });

  it('opens events that have more to tell, and only those', () => {
    const crash = anEvent('2', { kind: 'crashed', detail: { exitCode: 1 } });
    const log = render(<Overview />, { servers, events: [anEvent('1'), crash] }).split('role="log"')[1]!;
    expect(count(log, 'aria-expanded="false"')).toBe(1);
    expect(count(log, 'data-event=')).toBe(2);
  });

  it('begins with the verdict', () => {
    expect(markup).toContain('1 failed, 1 not responding, 1 restarting, 1 suspect');
  });

  it('names what is wrong with the configuration, and where', () => {
    const error = { message: 'expected a comma', line: 12, column: 5 };
    const broken = render(<Overview />, { servers, config: { path: '/home/servers.json', error } });
    expect(broken.replaceAll('<!-- -->', '')).toContain('expected a comma');
    expect(broken.replaceAll('<!-- -->', '')).toContain('(line 12, column 5)');
    expect(broken).toContain('/home/servers.json');
  });

  it('teaches when there is nothing to show', () => {
    const empty = render(<Overview />, {});
    expect(empty).toContain('/home/servers.json');
    expect(empty).toContain('mcpServers');
    expect(empty).toContain('role="log"');
  });
});

describe('ServerPage', () => {
  const markup = render(<ServerPage name="running" tab="overview" />, { servers });

  it('has the figures with their values, and the log', () => {
    expect(tagOf(markup, 'Memory of running')).toMatch(/^span role="group".*>182 MiB$/);
    expect(tagOf(markup, 'CPU of running')).toMatch(/^span role="group".*>2.1 %$/);
    expect(tagOf(markup, 'Events')).toContain('role="log"');
  });

  it('has the three buttons once, and no row', () => {
    for (const verb of ['Start', 'Stop', 'Restart'])
      expect(count(markup, `aria-label="${verb} running"`)).toBe(1);
    expect(count(markup, 'role="row"')).toBe(0);
  });

  it('has the figures of a remote server as well, as missing', () => {
    const remote = render(<ServerPage name="far" tab="overview" />, {
      servers: [aServer('far', { transport: 'http' })],
    });
    expect(tagOf(remote, 'Memory of far')).toMatch(/>–$/);
    expect(tagOf(remote, 'CPU of far')).toMatch(/>–$/);
  });

  it('shows the last error with its remedy', () => {
    const lastError = { code: 'CRASHED', message: 'It ended.', remedy: 'Start it again.' } as const;
    const failed = render(<ServerPage name="bad" tab="overview" />, {
      servers: [aServer('bad', { lastError })],
    });
    expect(failed).toContain('It ended.');
    const other = render(<ServerPage name="bad" tab="tools" />, { servers: [aServer('bad', { lastError })] });
    expect(other).not.toContain('It ended.');
    expect(failed).toContain('Start it again.');
    expect(failed).toContain('CRASHED');
  });

  it('shows what the server wrote about it under its message, where that tells more', () => {
    const message = 'Error: no token (exited with code 1 before its handshake)';
    const pageWith = (causeLines: readonly string[]) =>
      render(<ServerPage name="bad" tab="overview" />, {
        servers: [
          aServer('bad', { lastError: { code: 'START_FAILED', message, remedy: 'Set it.', causeLines } }),
        ],
      });
    const page = pageWith(['Connecting to the store', 'Error: no token', 'Set SLACK_BOT_TOKEN or --token']);
    const lines = /<pre[^>]*aria-label="From stderr"[^>]*>([^<]*)<\/pre>/.exec(page)?.[1];
    expect(lines).toBe('Connecting to the store\nError: no token\nSet SLACK_BOT_TOKEN or --token');
    expect(pageWith(['Error: no token'])).not.toContain('From stderr');
    expect(pageWith([])).not.toContain('From stderr');
  });

  it('tells an error once, where its words stand behind the state', () => {
    const message = 'The server exited with code 1.';
    const page = render(<ServerPage name="bad" tab="overview" />, {
      servers: [
        aServer('bad', {
          state: { kind: 'failed', since: 0, reason: message },
          lastError: { code: 'CRASHED', message, remedy: 'Read what it wrote.' },
        }),
      ],
    });
    expect(page).not.toContain(message);
    expect(count(page, 'Read what it wrote.')).toBe(1);
    expect(page).toContain('exited with code 1');
  });

  it('shows the logs in place of the figures, under the same controls', () => {
    const logs = render(<ServerPage name="running" tab="logs" />, { servers });
    expect(tagOf(logs, 'Logs')).toContain('role="log"');
    expect(count(logs, 'aria-label="Restart running"')).toBe(1);
    expect(logs).not.toContain('Memory of');
  });

  it('says so when the server does not exist', () => {
    expect(render(<ServerPage name="gone" tab="overview" />, { servers })).toContain(
      'There is no server named',
    );
  });
});
