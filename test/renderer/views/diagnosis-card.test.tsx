import { describe, expect, it } from 'vitest';
import { DiagnosisCard } from '../../../renderer/views/diagnosis-card.tsx';
import { ServerOverview } from '../../../renderer/views/server-overview.tsx';
import type { ServerView } from '../../../shared/domain.ts';
import type { ErrorReport } from '../../../shared/error-codes.ts';
import { anEvent, aServer } from '../builders.ts';
import { render } from '../render-view.tsx';

const failed = (lastError: ErrorReport, changes: Partial<ServerView> = {}) =>
  aServer('one', { state: { kind: 'failed', since: 0 }, target: 'ndoe a.js', lastError, ...changes });

const overview = (server: ServerView) =>
  render(<ServerOverview server={server} events={[]} />, { servers: [server] });

const notFound: ErrorReport = {
  code: 'COMMAND_NOT_FOUND',
  message: 'The command "ndoe" was not found. PATH tried: /usr/bin',
  remedy: 'Write "node" if that was meant.',
  data: { phrase: 'the command "ndoe" was not found', hasMore: true, wrong: 'ndoe', suggestion: 'node' },
};

describe('the page of a server that failed', () => {
  it('leads with why, the wrong word, and what to do, and folds its charts to a strip', () => {
    const markup = overview(failed(notFound));
    const order = [
      'The command &quot;ndoe&quot; was not found',
      '<mark',
      'Write &quot;node&quot;',
      'Use “node”…',
      'Edit command…',
      'Show charts',
      'Events',
    ];
    const places = order.map((part) => markup.indexOf(part));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(markup).toMatch(/<mark[^>]*>ndoe<\/mark> a\.js/);
    expect(markup).not.toContain('aria-label="Charts"');
    expect(markup).toContain('Copy for a bug report');
  });

  it('has its charts in view and a quiet note once it runs again', () => {
    const markup = overview(failed(notFound, { state: { kind: 'running', since: 0 } }));
    expect(markup).toContain('aria-label="Charts"');
    expect(markup).toContain('Last error');
    expect(markup).not.toContain('What is wrong');
  });

  it('offers a higher limit where the limit was the cause, the fact before the advice', () => {
    const breach = anEvent('1', {
      server: 'one',
      kind: 'limit-breached',
      detail: { limit: 'memory', value: 2 * 1024 ** 3, max: 1024 ** 3 },
    });
    const error: ErrorReport = {
      code: 'LIMIT_BREACHED',
      message: 'one held 2 GiB, over its limit of 1 GiB.',
      remedy: 'If it needs that much, raise the limit in its configuration.',
    };
    const server = failed(error);
    const card = <DiagnosisCard server={server} error={error} events={[breach]} />;
    const markup = render(card, { servers: [server] });
    const places = ['one held 2 GiB', 'If it needs that much', 'Raise limit to', 'Edit limits…'].map((part) =>
      markup.indexOf(part),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
});
