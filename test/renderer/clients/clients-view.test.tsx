import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { ClientView, GatewayStatus } from '../../../shared/gateway.ts';
import { newClientDraft, wantedClient } from '../../../renderer/clients/client-fields.tsx';
import { programNamed } from '../../../renderer/clients/client-setup.tsx';
import { ClientsView } from '../../../renderer/clients/clients-view.tsx';
import { MinuteCurve } from '../../../renderer/clients/client-table.tsx';
import {
  declaredWords,
  inFlightWords,
  lossWords,
  minuteWords,
  refusedWords,
  scopeWords,
} from '../../../renderer/format/client-words.ts';
import { SessionClients } from '../../../renderer/sessions/session-clients.tsx';
import { numberProblem } from '../../../renderer/settings/endpoint-fields.tsx';
import { aClient as anyClient, aUse } from '../builders.ts';
import { render as renderView } from '../render-view.tsx';

const listening: GatewayStatus = { url: 'http://127.0.0.1:7411', port: 7411, isListening: true };
const use = aUse({
  ...{ count: 2, inFlight: 1, oldest: { method: 'tools/call', target: 'search', sinceMs: 4000 } },
  ...{ declares: ['sampling', 'elicitation'], programs: ['claude-code 2.1.0'] },
});
const aClient = (changes: Partial<ClientView> = {}) =>
  anyClient({ calls: 12_000, errors: 3, sessions: [use], perMinute: [0, 1, 4], ...changes });

/** The markup of a view with what the main process would have told. */
const render = (view: React.ReactNode, gateway: GatewayStatus, clients: readonly ClientView[]) =>
  renderView(view, {}, (services) => services.clients.state.setState({ gateway, clients }));

describe('the view of clients', () => {
  it('says who uses what, and offers to renew and revoke each by name', () => {
    const markup = render(<ClientsView />, listening, [
      aClient(),
      aClient({ id: 'c2', name: 'idle', sessions: [], errors: 0 }),
    ]);
    for (const words of [
      '2 clients, 1 connected',
      'http://127.0.0.1:7411',
      'aria-label="Copy the address"',
      'aria-label="laptop"',
      'claude-code 2.1.0',
      'href="#/servers/github/sessions"',
      'aria-label="New token for laptop"',
      'aria-label="Revoke access of idle"',
      '12\u2009000',
      '>never<',
      'Not connected',
    ])
      expect(markup).toContain(words);
  });

  it('says of a client for metrics that it reads them, and not that it is missing', () => {
    const markup = render(<ClientsView />, listening, [aClient({ scopes: ['metrics'], sessions: [] })]);
    expect(markup).toContain('>Reads metrics<');
    expect(markup).toContain('>may read metrics<');
    expect(markup).not.toContain('>Not connected<');
  });

  it('teaches what it is for while there is no client', () => {
    const markup = render(<ClientsView />, listening, []);
    expect(markup).toContain('can share these servers');
    expect(markup).toContain('Add a client…');
    expect(markup).not.toContain('<table');
  });

  it('says why no client can connect, and offers the port that is free', () => {
    const error = {
      code: 'PORT_UNAVAILABLE',
      message: 'Port 7411 is used.',
      data: { port: 7411, freePort: 7412 },
    } as const;
    const markup = render(<ClientsView />, { ...listening, isListening: false, error }, []);
    expect(markup).toContain('No client can connect');
    expect(markup).toContain('Port 7411 is used.');
    expect(render(<ClientsView />, { ...listening, error }, [])).toContain('The port was not changed');
    expect(markup).toContain('Use port 7412');
    expect(render(<ClientsView />, { ...listening, isOff: true }, [])).toContain('Turn it on');
    const clientsProblem = 'clients.json cannot be used: it is not JSON';
    expect(render(<ClientsView />, { ...listening, clientsProblem }, [])).toContain(clientsProblem);
  });
});

it.each([
  [{}, { name: 'a', scopes: ['mcp'] }],
  [
    { reach: 'chosen', ticked: ['gone', 'github'] },
    { name: 'a', scopes: ['mcp'], servers: ['github'] },
  ],
  [{ reach: 'chosen', ticked: [] }, undefined],
  [{ name: ' ' }, undefined],
  [
    { purpose: 'metrics', reach: 'chosen' },
    { name: 'a', scopes: ['metrics'] },
  ],
] as const)('a draft of a client %j asks for %j', (changes, wanted) => {
  const draft = { ...newClientDraft, name: ' a ', ...changes };
  expect(wantedClient(draft, ['github', 'memory'])).toEqual(wanted);
});

it('the sessions of a server name its clients with what they declared and wait for', () => {
  const markup = render(<SessionClients server="github" />, listening, [aClient()]);
  for (const words of [
    'aria-label="laptop"',
    'sampling and elicitation',
    '1 call, tools/call search for 4 s',
    'claude-code 2.1.0',
  ])
    expect(markup).toContain(words);
  expect(render(<SessionClients server="other" />, listening, [aClient()])).not.toContain('<section');
});

describe('words about clients', () => {
  it.each([
    [{}, 'Its 2 sessions end, and 1 call in flight is lost.'],
    [{ sessions: [] }, 'It has no session now.'],
    [{ sessions: [{ ...use, count: 1, inFlight: 0 }] }, 'Its session ends.'],
    [{ sessions: [use, use] }, 'Its 4 sessions end, and 2 calls in flight are lost.'],
    [{ scopes: ['metrics'], sessions: [] }, 'It can no longer read the metrics.'],
  ] satisfies [Partial<ClientView>, string][])('%j loses: %s', (changes, words) =>
    expect(lossWords(aClient(changes))).toBe(words),
  );

  it('name scope, declarations, waiting calls and the last hour', () => {
    expect(scopeWords({ scopes: ['mcp'] })).toBe('may use all servers');
    expect(scopeWords({ scopes: ['mcp'], servers: ['a', 'b'] })).toBe('may use a and b');
    expect(scopeWords({ scopes: ['metrics'], servers: ['a'] })).toBe('may read metrics');
    expect(scopeWords({ scopes: ['mcp', 'metrics'] })).toBe('may use all servers, and read metrics');
    expect(declaredWords({ ...use, declares: [] })).toBe('nothing');
    expect(inFlightWords({ ...use, inFlight: 0 })).toBe('none');
    expect(minuteWords([0, 3, 1])).toBe('4 calls in the last hour, at most 3 a minute');
    expect(minuteWords([0])).toBe('No call in the last hour');
  });

  it.each([
    [3, '3 times'],
    [1, 'once'],
  ])('name a client that goes on with its old token, and how often it was refused: %i', (count, words) => {
    const since = new Date(2026, 0, 5, 10, 42).getTime();
    expect(refusedWords(aClient({ name: 'cursor', refused: { count, since } }))).toBe(
      `cursor was refused ${words} since 10:42: its token was renewed. Put the new token into its settings.`,
    );
    expect(refusedWords(aClient())).toBeUndefined();
  });

  it('find the program that a client is named after', () => {
    expect(['My cursor', 'vs code at work', 'codex', 'Gemini CLI', 'anything'].map(programNamed)).toEqual([
      'cursor',
      'vscode',
      'codex',
      'gemini-cli',
      'claude-code',
    ]);
  });

  it('refuse a port that is none', () => {
    expect(['0', '65535', ' 80 '].map((text) => numberProblem(text, 65_535))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(['', '-1', '1.5', 'x'].map((text) => numberProblem(text, 65_535))).toEqual(
      Array(4).fill('Expected a whole number.'),
    );
    expect(numberProblem('65536', 65_535)).toBe('Expected at most 65535.');
  });
});

it('calls per minute are drawn as steps from the base line, and nothing where there were none', () => {
  const bars = (...counts: number[]) =>
    /d="([^"]*Z)"/.exec(renderToString(<MinuteCurve counts={counts} />))?.[1];
  expect(bars(0, 0)).toBeUndefined();
  expect(bars(4, 0)).toBe('M0 1H45V18H90V18V18H0Z');
});
