import { describe, expect, it } from 'vitest';
import type { CallMinute } from '../../../shared/call-figures.ts';
import type { ServerView } from '../../../shared/domain.ts';
import { stateKinds } from '../../../shared/server-states.ts';
import type { ListChoice } from '../../../renderer/format/list-choice.ts';
import { Overview } from '../../../renderer/views/overview.tsx';
import { hourOfCalls } from '../../../renderer/charts/use-calls.ts';
import { lastHourAt } from '../../../renderer/charts/use-series.ts';
import { pastKeyOf } from '../../../renderer/store/past-store.ts';
import { ServerPage } from '../../../renderer/views/server-page.tsx';
import { aSample, aServer, anEvent } from '../builders.ts';
import { callsOfMinutes } from '../charts/calls-of-minutes.ts';
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
    // One more is the row of the column headers, which no server can be called like.
    expect(count(markup, 'role="row"')).toBe(servers.length + 1);
    expect(count(markup, 'data-server="')).toBe(servers.length);
    for (const { name } of servers) {
      expect(tagOf(markup, name)).toMatch(/^div role="row"/);
      expect(tagOf(markup, `Open ${name}`)).toMatch(/^a href="#\/servers\//);
      for (const verb of ['Start', 'Stop', 'Restart'])
        expect(count(markup, `aria-label="${verb} ${name}"`)).toBe(1);
    }
  });

  it('has the search, the filter and the grouping where there is more than one server', () => {
    const alone = render(<Overview />, { servers: servers.slice(0, 1) });
    for (const name of ['Search servers', 'Filter', 'Group']) {
      expect(count(markup, `aria-label="${name}"`)).toBe(1);
      expect(count(alone, `aria-label="${name}"`)).toBe(0);
    }
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

  it('teaches when there is nothing to show', () => {
    const empty = render(<Overview />);
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

  it('has the figures of a remote server as well, as missing', () => {
    const remote = render(<ServerPage name="far" tab="overview" />, {
      servers: [aServer('far', { transport: 'http' })],
    });
    expect(tagOf(remote, 'Memory of far')).toMatch(/>–$/);
    expect(tagOf(remote, 'CPU of far')).toMatch(/>–$/);
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

  it('tells an error once, and not behind the state, too', () => {
    const message = 'The server exited with code 1.';
    const page = render(<ServerPage name="bad" tab="overview" />, {
      servers: [
        aServer('bad', {
          state: { kind: 'failed', since: 0, reason: message },
          lastError: { code: 'CRASHED', message, remedy: 'Read what it wrote.' },
        }),
      ],
    });
    expect(count(page, 'exited with code 1')).toBe(1);
    expect(count(page, 'Read what it wrote.')).toBe(1);
  });
});

describe('the columns of calls', () => {
  const called = [aServer('busy'), aServer('idle'), aServer('new')];
  const showing = (choice: Partial<ListChoice>) =>
    render(<Overview />, { servers: called }, ({ view, past, clock }) => {
      view.setState(choice);
      clock.setState({ now: 50 * 86_400_000 });
      const { called: known } = past;
      known.setState(
        new Map([
          ['busy', { calls: 24, errors: 2, lastAt: 50 * 86_400_000 - 65_000, unusedSince: 50 * 86_400_000 }],
          ['idle', { calls: 0, errors: 0, unusedSince: 8.5 * 86_400_000 }],
        ]),
        true,
      );
      Object.assign(known, { getInitialState: known.getState });
      Object.assign(clock, { getInitialState: clock.getState });
    });
  const cellsOf = (markup: string) =>
    [...markup.matchAll(/role="cell"[^>]*aria-label="((?:Calls in|Last used) [^"]*)"/g)].map(
      (match) => match[1],
    );

  it('are there when they were chosen: what failed beside the calls, and no figure of what is not known', () => {
    const markup = showing({ showsCalls: true, showsLastUsed: true });
    expect(cellsOf(markup)).toEqual([
      ...['Calls in the last hour 24, 2 errors', 'Last used 1 m ago'],
      ...['Calls in the last hour 0', 'Last used –'],
      ...['Calls in the last hour –', 'Last used –'],
    ]);
    expect(tagOf(markup, 'Show calls of the last hour')).toContain('checked=""');
    expect(tagOf(markup, 'Show the last use')).toContain('checked=""');
  });

  it('are not there until then; how long a server has not been used is told below its name', () => {
    const markup = showing({});
    expect(cellsOf(markup)).toEqual([]);
    expect(count(markup, '>not used for')).toBe(1);
    expect(markup).toContain('>not used for 41 days<');
  });
});

describe('the calls on the page of a server', () => {
  const sample = aSample(Date.now());
  const page = (minutes: readonly CallMinute[] | undefined) =>
    render(
      <ServerPage name="one" tab="overview" />,
      { servers: [aServer('one', { sample, recentCalls: { calls: 24, errors: 1 } })] },
      ({ clock, past }) => {
        const question = pastKeyOf(hourOfCalls('one', lastHourAt(clock.getState().now)));
        const answer = minutes && { reply: callsOfMinutes(minutes), error: undefined };
        past.calls.state.setState(new Map(answer && [[question, answer]]), true);
      },
    );

  it('are told in words with their units, under memory and CPU', () => {
    const durations = { p50Ms: 12, p95Ms: 80, maxMs: 1200 };
    const minute = { at: Math.floor(Date.now() / 60_000) * 60_000, calls: 30, errors: 2, durations };
    const markup = page([minute]);
    expect(tagOf(markup, 'Calls of one')).toMatch(/^span role="group".*>24 \/min$/);
    expect(tagOf(markup, 'Call duration of one')).toMatch(/^span role="group".*>p50 12 ms$/);
    for (const words of ['peak 30 /min', '2 errors']) expect(markup).toContain(words);
    expect(markup).toContain('longest 1.2 s');
    const titles = ['Memory', 'CPU', 'Calls', 'Call duration', 'Open files', 'Processes'];
    const places = titles.map((title) => markup.indexOf(`aria-label="${title} of one"`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  it('are said to be none only when that is known', () => {
    expect(page([])).toContain('No calls in this hour');
    expect(page(undefined)).not.toContain('No calls');
    const longAgo = { at: Math.floor(Date.now() / 60_000) * 60_000 - 50 * 60_000, calls: 1, errors: 0 };
    expect(page([longAgo])).toContain('No calls in the time shown');
  });
});
