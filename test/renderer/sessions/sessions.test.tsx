import { describe, expect, it } from 'vitest';
import type { SessionsView, SessionView } from '../../../shared/sessions-view.ts';
import { callsInFlightText, describeUse, SessionsTab } from '../../../renderer/sessions/sessions-tab.tsx';
import { render } from '../render-view.tsx';

const NOW = 1_000_000;
const aSession = (changes: Partial<SessionView> = {}): SessionView => ({
  generation: 1,
  mode: 'shared',
  instance: 'one',
  openedAt: 0,
  leases: [],
  ...changes,
});
const aView = (...sessions: SessionView[]): SessionsView => ({
  sharing: {
    mode: 'shared',
    setting: 'auto',
    reason: 'default',
    words: 'Nothing is known that makes sharing unsafe.',
  },
  sessions,
});
const aLease = (callsUnderWay: number) => ({ contextId: 'window', since: 0, callsInFlight: callsUnderWay });

describe('the use of a session', () => {
  it.each<[string, Partial<SessionView>]>([
    ['3 calls in flight', { leases: [aLease(1), aLease(2)] }],
    ['in use', { leases: [aLease(0)] }],
    ['not in use', {}],
    ['idle for 20 s', { idleSince: NOW - 20_000 }],
    ['idle for 20 s, closes in 6 m', { idleSince: NOW - 20_000, evictsAt: NOW + 360_000 }],
  ])('is "%s"', (words, changes) => expect(describeUse(aSession(changes), NOW)).toBe(words));

  it('counts the calls of all users', () => {
    expect(callsInFlightText(aSession({ leases: [aLease(1), aLease(4)] }))).toBe(5);
  });
});

const pageOf = (view: SessionsView) =>
  render(<SessionsTab name="one" />, {}, ({ sessions }) => sessions.state.setState({ server: 'one', view }));

it('the page of sessions names each session, its users, and how to end it', () => {
  const markup = pageOf(
    aView(aSession({ pid: 7, leases: [aLease(2)] }), aSession({ instance: 'one#2', generation: 3 })),
  );
  for (const words of [
    'aria-label="one"',
    'aria-label="one#2"',
    '>window</td>',
    'pid 7',
    '2 calls in flight',
  ])
    expect(markup).toContain(words);
  expect(markup).toContain('>End session of one</button>');
  expect(markup).toContain('>End session of one#2</button>');
  expect(markup).toContain('aria-label="Sharing"');
});

it('the page of sessions says why each client of a server that asks has a process', () => {
  const words = 'It asks its clients for answers of their user.';
  const sharing = { mode: 'exclusive', setting: 'auto', reason: 'learnt', asksClients: true, words } as const;
  const meaning = 'Each client gets its own connection; with a local server, its own process.';
  expect(pageOf({ ...aView(), sharing })).toContain(`${meaning} ${words}`);
  expect(pageOf(aView())).toContain('All clients use the same connection.');
});

describe('the advice on sharing', () => {
  const base = aView().sharing;

  it('tells how long clients waited for each other, what a process each costs, and offers it', () => {
    const sharing = { ...base, answersInTurn: true, waits: { clients: 3, totalMs: 41_000, since: 0 } };
    const markup = pageOf({ ...aView(), sharing });
    expect(markup).toContain('It answers one call at a time; 3 clients waited 41 s since ');
    expect(markup).toContain('state in memory is not shared between them');
    expect(markup).toContain('>Give each client a process</button>');
    expect(markup).not.toContain('>Share one process</button>');
  });

  it('names two clients that met on a server that nothing is known of, with both choices, until one is made', () => {
    const secondClient = { first: 'cursor', second: 'codex', stateTools: ['set_project'] };
    const sharing = { ...base, secondClient };
    const markup = pageOf({ ...aView(), sharing });
    expect(markup).toContain('cursor and codex share this server');
    expect(markup).toContain('Its tools set_project suggest that it does.');
    expect(markup).toContain('>Share one process</button>');
    expect(markup).toContain('>Give each client a process</button>');
    expect(pageOf({ ...aView(), sharing: { ...sharing, setting: 'shared' } })).not.toContain('cursor');
  });

  it('says whose process another client got, and that its state is lost', () => {
    const markup = pageOf({ ...aView(), givenUp: [{ contextId: 'cursor', at: 0, idleMs: 420_000 }] });
    expect(markup).toContain('the process of cursor was given to another client, after 7 m without a call');
    expect(markup).toContain('Its data in memory is lost');
  });

  it('says nothing of a server that nothing was seen of', () => {
    expect(pageOf(aView())).not.toContain('Advice on sharing');
  });
});
