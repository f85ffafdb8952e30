import { describe, expect, it, vi } from 'vitest';
import type { Imports } from '../../../shared/manage.ts';
import { AskFields } from '../../../renderer/entry/ask-fields.tsx';
import { ChangeList } from '../../../renderer/import/change-list.tsx';
import { ChoiceList } from '../../../renderer/import/choice-list.tsx';
import { choicesOfFiles, choicesOfSnippet } from '../../../renderer/import/choices.ts';
import type { TakingOver } from '../../../renderer/import/use-taking-over.ts';
import type { Services } from '../../../renderer/services.ts';
import { EmptyState } from '../../../renderer/views/empty-state.tsx';
import { Overview } from '../../../renderer/views/overview.tsx';
import { anAsk, aServer } from '../builders.ts';
import { count, render, tagOf } from '../render-view.tsx';

const secret = anAsk({
  ...{ label: 'GitHub token', placeholder: '${env:TOKEN}', kind: 'environment', variable: 'TOKEN' },
});
const servers: Imports['files'][number]['servers'] = [
  {
    name: 'github',
    entry: { command: 'npx', env: { TOKEN: '${env:TOKEN}' } },
    status: 'new',
    asks: [secret],
  },
  {
    name: 'gone',
    entry: { command: 'uvx' },
    status: 'new',
    obstacle: 'its command uvx is not on this machine',
  },
  {
    name: 'mine',
    entry: { command: 'npx', args: ['2'] },
    status: 'different',
    existing: { command: 'npx', args: ['1'] },
  },
];
const imports: Imports = {
  files: [{ strategy: 'cursor', label: 'Cursor', path: '/mcp.json', servers, problems: [] }],
};
const withFound = (services: Services, changes: object = {}) => {
  services.found.state.setState({ imports });
  services.view.setState(changes);
};

describe('the offer to bring servers in', () => {
  it('leads the window without servers, names each server, and offers examples beside it', () => {
    const markup = render(<EmptyState />, {}, withFound);
    expect(markup).toContain('Found 2 servers in Cursor');
    expect(markup).toContain('github, gone');
    expect(markup.indexOf('Found 2 servers')).toBeLessThan(markup.indexOf('Add a server…'));
    expect(markup).toContain('Try with examples');
  });

  it('stays as one line above the list until it is settled, and shows nothing where nothing is new', () => {
    const overview = (changes: object, names: readonly string[] = ['memory']) =>
      render(<Overview />, { servers: names.map((name) => aServer(name)) }, (services) =>
        withFound(services, changes),
      );
    expect(overview({})).toContain('Found 2 servers in Cursor');
    expect(tagOf(overview({}), 'Dismiss the offer')).toContain('button');
    expect(overview({ offersImports: false })).not.toContain('Found 2 servers');
    expect(overview({}, ['github', 'gone'])).not.toContain('in Cursor');
  });
});

describe('the list of servers from elsewhere', () => {
  const taking: TakingOver = {
    ticked: new Set(),
    answers: {},
    failures: new Map(),
    isBusy: false,
    toggle: vi.fn(),
    tickReady: vi.fn(),
    answer: vi.fn(),
    takeOver: vi.fn(),
  };
  const markup = render(<ChoiceList choices={choicesOfFiles(imports)[0]?.choices ?? []} taking={taking} />);

  it.each(['constructor', 'toString', '__proto__'])('tells no failure of a server called %s', (name) => {
    const choices = choicesOfSnippet({ entries: [{ name, entry: { command: 'node' } }], problems: [] }, []);
    expect(render(<ChoiceList choices={choices} taking={taking} />)).not.toContain('failure');
  });

  it('has a masked field for each secret that is asked for, and says where it goes', () => {
    expect(tagOf(markup, 'Values for github')).toContain('role="group"');
    expect(count(markup, 'type="password"')).toBe(1);
    expect(markup).toContain('variable TOKEN · TOKEN is not set in your environment');
  });

  it('says in words what cannot work here', () => {
    expect(markup).toContain('Cannot work here: its command uvx is not on this machine.');
  });

  it('shows what replacing an entry would change', () => {
    expect(tagOf(markup, 'What replacing mine changes')).not.toBe('');
    expect(markup).toMatch(/<del[^>]*>1<\/del>.*<ins[^>]*>2<\/ins>/);
  });
});

describe('the fields for what an entry asks', () => {
  it('say what came from the environment, masked, with a way to see it', () => {
    const asks = [{ ...secret, found: 'from-the-shell' }];
    const markup = render(<AskFields name="Values" asks={asks} answers={{}} onAnswer={vi.fn()} />);
    expect(markup).toContain('variable TOKEN · from your environment');
    expect(markup).toContain('type="password"');
    expect(tagOf(markup, 'Show GitHub token')).toContain('button');
  });

  it('are plain text for what is no secret, and are not there where nothing is asked', () => {
    const ask = { ...secret, secret: false, found: '/work' };
    const markup = render(<AskFields name="Values" asks={[ask]} answers={{}} onAnswer={vi.fn()} />);
    expect(markup).not.toContain('password');
    expect(render(<AskFields name="Values" asks={[]} answers={{}} onAnswer={vi.fn()} />)).not.toContain(
      'group',
    );
  });
});

describe('the changes of an entry', () => {
  it('say of a masked value only that it is another', () => {
    const [before, after] = [{ env: { TOKEN: 'old-secret' } }, { env: { TOKEN: 'new-secret' } }];
    const markup = render(<ChangeList name="github" before={before} after={after} />);
    expect(markup).toContain('another value');
    expect(markup).not.toContain('-secret');
    expect(tagOf(markup, 'Show the values of github')).toContain('button');
  });
});
