// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ControlPanelApi } from '../../../shared/ipc-contract.ts';
import type {
  FoundClient,
  LeftServer,
  Move,
  Restore,
  RestoreResult,
} from '../../../shared/ipc/topics/programs.ts';
import { defaultSettings, type Settings } from '../../../shared/settings.ts';
import { ClientsView } from '../../../renderer/clients/clients-view.tsx';
import { ManageLayer } from '../../../renderer/views/manage-layer.tsx';
import { arrivalWords, ownerWords } from '../../../renderer/format/program-words.ts';
import { aClient, anAsk, aUse } from '../builders.ts';
import { box as anyBox, button, dialog, press, showView, type } from '../hands.ts';
import { servicesWith } from '../in-window.ts';

const MIB = 1024 * 1024;
const aFound = (changes: Partial<FoundClient> = {}): FoundClient => ({
  ...{ id: 'cursor', name: 'Cursor', path: '/home/.cursor/mcp.json', readable: true, copies: [] },
  ...{ reload: 'It reads its file again by itself.', servers: [aServer('github')] },
  ...changes,
});
const aServer = (name: string, changes: Partial<FoundClient['servers'][number]> = {}) => ({
  ...{ name, scope: 'user', path: '/home/.cursor/mcp.json', moved: false },
  ...changes,
});
const zed = aFound({ id: 'zed', name: 'Zed', servers: [aServer('github'), aServer('memory')] });
const ENTRY = `{\n    "command": "npx",\n    "env": { "GITHUB_TOKEN": "ghp_12345", "LOGIN": "mine" }\n  }`;
const error = (code: string, message: string) => Object.assign(new Error(message), { code });

interface Given {
  readonly found?: readonly FoundClient[];
  /** What stands in the file at a move, or why it fails; by default it works. */
  readonly move?: (move: Move, number: number) => Promise<string> | undefined;
  /** Why a server cannot be moved. */
  readonly left?: (server: Move['servers'][number]) => Omit<LeftServer, 'name' | 'scope'> | undefined;
  readonly restored?: (asked: Restore) => RestoreResult;
  readonly settings?: Partial<Settings>;
  readonly putSettings?: ControlPanelApi['putSettings'];
}

/** The view over a home whose files change by what is asked of it. */
async function show(given: Given = {}) {
  const { found: first = [aFound()], move = () => undefined, left = () => undefined, restored } = given;
  let found = first;
  const patches: unknown[] = [];
  const looks: number[] = [];
  const moves: Move[] = [];
  const restores: Restore[] = [];
  const moveServers = async (asked: Move) => {
    moves.push(asked);
    const before = (await move(asked, moves.length)) ?? ENTRY;
    const { client, commit } = asked;
    const refused = asked.servers.flatMap((one) => {
      const reason = left(one);
      return reason === undefined ? [] : [{ name: one.name, scope: one.scope, ...reason }];
    });
    if (!asked.partly && refused.length > 0) throw error('CONFIG_INVALID', 'refused');
    const servers = asked.servers.filter(({ name }) => refused.every((one) => one.name !== name));
    const isMoved = ({ name }: { readonly name: string }) => servers.some((one) => one.name === name);
    if (commit !== undefined)
      found = found.map((program) =>
        program.id !== client
          ? program
          : {
              ...program,
              servers: program.servers.map((one) =>
                isMoved(one) ? { ...one, moved: true, lost: false } : one,
              ),
            },
      );
    const difference = servers.map(({ name, scope }) => ({
      ...{ server: name, scope, path: '/home/.cursor/mcp.json', notes: [`a note on ${name}`] },
      before,
      after: `{ "url": "http://127.0.0.1:7411/servers/${name}/mcp" }`,
    }));
    return { difference, precondition: `p${moves.length}`, ...(asked.partly && { left: refused }) };
  };
  const services = servicesWith(
    {
      findClients: () => (looks.push(1), Promise.resolve([...found])),
      getGateway: () => Promise.resolve({ url: 'http://127.0.0.1:7411', port: 7411, isListening: true }),
      listClients: () => Promise.resolve([aClient({ name: 'Cursor', createdAt: 1 })]),
      moveServers,
      getSettings: () => Promise.resolve({ settings: { ...defaultSettings, ...given.settings } }),
      putSettings: given.putSettings ?? ((patch) => Promise.resolve(void patches.push(patch))),
      restoreServers: async (asked) => (
        restores.push(asked),
        restored?.(asked) ?? { restored: [], asked: [] }
      ),
    },
    {},
  );
  const view = (
    <>
      <ClientsView />
      <ManageLayer />
    </>
  );
  await services.settings.load();
  await showView(services, view);
  const write = (next: readonly FoundClient[]) => void (found = next);
  return { moves, restores, services, looks, patches, write };
}

const box = (server: string, program: string) => anyBox(new RegExp(`^${server}, .*, of ${program}$`));
const tick = (server: string, program: string) => act(async () => fireEvent.click(box(server, program)));
const program = (name: string) => within(screen.getByRole('region', { name, hidden: true }));

describe('programs on this machine', () => {
  it('are listed with their file and servers, and what has become of those that were moved', async () => {
    await show({
      found: [
        aFound({
          servers: [
            aServer('github', { moved: true }),
            aServer('memory', { lost: true }),
            aServer('search', { shadowed: true, shadowedBy: 'local:/home/shop' }),
          ],
        }),
        aFound({
          id: 'zed',
          name: 'Zed',
          servers: [],
          readable: false,
          problem: 'it is no JSON (line 3, column 1)',
        }),
        aFound({ id: 'kiro', name: 'Kiro', servers: [] }),
      ],
    });
    expect(box('github', 'Cursor').disabled).toBe(true);
    expect(box('memory', 'Cursor').disabled).toBe(false);
    for (const words of [
      'Through the panel',
      'Overwritten or removed since',
      'Another wins: yours, only in /home/shop',
      'Cannot be read: it is no JSON (line 3, column 1).',
    ])
      expect(screen.getByText(words)).toBeTruthy();
    expect(program('Cursor').getByText('/home/.cursor/mcp.json')).toBeTruthy();
    expect(program('Kiro').getByText('It names no server.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Back: Zed' })).toBeNull();
  });

  it('say of each name that a program drops or changes what it does, before anything is moved', async () => {
    const servers = [aServer('git.hub'), aServer('git-hub', { scope: 'local:/shop' }), aServer('workspace')];
    const found = [
      aFound({ id: 'copilot-cli', name: 'Copilot CLI', servers }),
      aFound({ id: 'claude-code', name: 'Claude Code', servers }),
      aFound({ id: 'codex', name: 'Codex', servers: [aServer('git.hub'), aServer('git-hub')] }),
      aFound({ servers }),
    ];
    const { moves } = await show({ found });
    const wordsOf = (name: string) =>
      program(name)
        .queryAllByText(/will/)
        .map((one) => one.textContent);
    expect(wordsOf('Copilot CLI')).toEqual(['Copilot CLI will not show this one: its name has a dot.']);
    expect(wordsOf('Claude Code')).toEqual([
      'Claude Code will call this one differently: its name has a dot.',
      'Claude Code will not show this one: its name is reserved there.',
    ]);
    expect(wordsOf('Codex')).toHaveLength(2);
    expect([wordsOf('Cursor'), moves]).toEqual([[], []]);
  });

  it('are no part of the view where there are none, and named as what failed', async () => {
    const { services } = await show({ found: [] });
    expect(screen.queryByRole('region', { name: 'On this machine' })).toBeNull();
    const failure = { code: 'CONFIG_BROKEN', message: 'moved.json is broken.' } as const;
    await act(async () => services.programs.state.setState({ error: failure }));
    expect(screen.getByText(/moved.json is broken/)).toBeTruthy();
  });

  it('are looked for again within five seconds', async () => {
    const { services, write, looks } = await show();
    write([zed]);
    looks.splice(0);
    const now = services.clock.getState().now;
    await act(async () => services.clock.setState({ now: now + 1000 }));
    expect(looks).toHaveLength(0);
    await act(async () => services.clock.setState({ now: now + 5000 }));
    expect(screen.getByRole('region', { name: 'Zed' })).toBeTruthy();
  });

  it('name what their copies cost, one line for each server', async () => {
    const copy = { server: 'github', pids: [1, 2], memoryBytes: 103 * MIB };
    await show({
      found: [
        aFound({ copies: [copy] }),
        aFound({ id: 'vs-code', name: 'VS Code', copies: [copy] }),
        aFound({ id: 'claude-code', name: 'Claude Code', copies: [copy, copy] }),
      ],
    });
    expect(screen.getByText('github runs four times: Cursor, VS Code, Claude Code ×2: 412 MiB')).toBeTruthy();
    expect(program('Claude Code').getByText('Runs 2 copies of its own now, 206 MiB: github ×2')).toBeTruthy();
    await show();
    expect(screen.queryByText(/runs|copies/i)).toBeNull();
  });
});

describe('moving', () => {
  it('shows what changes for each server before it moves what is ticked, in several programs', async () => {
    const { moves } = await show({ found: [aFound(), zed] });
    expect(button('Move…').disabled).toBe(true);
    await tick('github', 'Cursor');
    await tick('github', 'Zed');
    await tick('memory', 'Zed');
    await press('Move 3 servers…');
    expect(moves.map(({ commit }) => commit)).toEqual([undefined, undefined]);
    expect(screen.getAllByText('Afterwards: It reads its file again by itself.')).toHaveLength(2);
    expect(screen.getByText('a note on memory')).toBeTruthy();
    expect(screen.getAllByLabelText('Then', { selector: 'pre' })[0]?.textContent).toContain(
      '/servers/github/mcp',
    );
    await press('Move 3 servers');
    expect(
      moves.flatMap(({ client, servers, commit }) => (commit ? [[client, servers.length]] : [])),
    ).toEqual([
      ['cursor', 1],
      ['zed', 2],
    ]);
    expect(dialog()).toBeNull();
    expect(box('memory', 'Zed').disabled).toBe(true);
    expect(program('Cursor').getByText(/^Has not connected since the move/)).toBeTruthy();
    expect(button('Move…').disabled).toBe(true);
  });

  it('hides secrets of the entries until they are wanted', async () => {
    await show();
    await tick('github', 'Cursor');
    await press('Move 1 server…');
    const now = () => screen.getByLabelText('Now', { selector: 'pre' }).textContent;
    expect(now()).not.toMatch(/ghp_12345|mine/);
    expect(now()).toContain('"GITHUB_TOKEN": "••••••••"');
    await press('Show the values of github');
    expect(now()).toContain('ghp_12345');
  });

  it('is done again in one press where another program wrote over it, through the same preview', async () => {
    const { moves } = await show({ found: [aFound({ servers: [aServer('memory', { lost: true })] }), zed] });
    expect(screen.queryByRole('button', { name: /^Move again: .* of Zed$/ })).toBeNull();
    await press('Move again: memory of Cursor');
    expect(screen.getByLabelText('What changes for memory')).toBeTruthy();
    expect(moves.every(({ commit }) => commit === undefined)).toBe(true);
    await press('Move 1 server');
    expect(moves.at(-1)).toMatchObject({ client: 'cursor', servers: [{ name: 'memory', scope: 'user' }] });
    expect(box('memory', 'Cursor').disabled).toBe(true);
    expect(screen.queryByText('Move again')).toBeNull();
  });

  it('leaves a server where it is that cannot be moved, says why, and moves the others', async () => {
    const reason = 'memory was not moved: its name is reserved there.';
    const { moves } = await show({
      found: [zed],
      left: ({ name }) =>
        name === 'memory' ? { error: { code: 'CONFIG_INVALID', message: reason } } : undefined,
    });
    await tick('github', 'Zed');
    await tick('memory', 'Zed');
    await press('Move 2 servers…');
    expect(screen.getByText('memory (yours, everywhere) stays:')).toBeTruthy();
    expect(screen.getByText(new RegExp(reason))).toBeTruthy();
    await press('Move 1 server');
    expect(moves.at(-1)).toMatchObject({ client: 'zed', servers: [{ name: 'github' }] });
    expect(screen.getByText('Moved.')).toBeTruthy();
    await act(async () => fireEvent.keyDown(dialog() ?? document, { key: 'Escape' }));
    expect([box('github', 'Zed').disabled, box('memory', 'Zed').disabled]).toEqual([true, false]);
  });

  const twin = { freeName: 'memory-2', here: '{ "command": "mine" }', there: '{ "command": "theirs" }' };
  const conflict = { code: 'CONFIG_CONFLICT', message: 'memory is two different servers.' } as const;
  it.each([
    ['Use the panel’s definition', { use: 'panel' }],
    ['Take this one as memory-2', { as: 'memory-2' }],
  ])('asks which of two servers of one name is meant: %s', async (answer, decision) => {
    const { moves } = await show({
      found: [aFound(), zed],
      left: ({ name, as, use }) =>
        name === 'memory' && (as ?? use) === undefined ? { error: conflict, twin } : undefined,
    });
    await tick('github', 'Cursor');
    await tick('github', 'Zed');
    await tick('memory', 'Zed');
    await press('Move 3 servers…');
    expect(button('Move 2 servers')).toBeTruthy();
    expect(screen.getByLabelText('In the panel', { selector: 'pre' }).textContent).toContain('mine');
    expect(screen.getByLabelText('In Zed', { selector: 'pre' }).textContent).toContain('theirs');
    const looks = moves.length;
    await press(answer);
    expect(moves.slice(looks)).toMatchObject([{ client: 'zed' }]);
    expect(screen.queryByText(/has another server of this name/)).toBeNull();
    await press('Move 3 servers');
    expect(moves.at(-1)?.servers).toMatchObject([{ name: 'github' }, { name: 'memory', ...decision }]);
    expect(moves.at(-1)?.commit).toBeDefined();
    expect(dialog()).toBeNull();
  });

  it('asks for the values that an entry leaves open, hides secrets, and moves it with the answers', async () => {
    const ask = anAsk({ id: 'env:TOKEN:', label: 'TOKEN', where: 'env', key: 'TOKEN', secret: true });
    const { moves } = await show({
      left: ({ answers }) => (answers === undefined ? { error: conflict, asks: [ask] } : undefined),
    });
    await tick('github', 'Cursor');
    await press('Move 1 server…');
    expect(button('Use these values').disabled).toBe(true);
    const field = screen.getByLabelText<HTMLInputElement>('TOKEN');
    expect(field.type).toBe('password');
    await type('TOKEN', 'ghp_mine');
    await press('Use these values');
    expect(screen.queryByLabelText('TOKEN')).toBeNull();
    await press('Move 1 server');
    expect(moves.at(-1)).toMatchObject({
      commit: expect.any(String) as string,
      servers: [{ name: 'github', answers: { 'env:TOKEN:': 'ghp_mine' } }],
    });
    expect(dialog()).toBeNull();
  });

  it('previews again where a file has changed since', async () => {
    const conflict = error('CONFIG_CONFLICT', 'mcp.json has changed since it was shown.');
    let isChanged = true;
    await show({
      move: ({ commit }) => (commit !== undefined && isChanged ? Promise.reject(conflict) : undefined),
    });
    await tick('github', 'Cursor');
    await press('Move 1 server…');
    await press('Move 1 server');
    expect(screen.getByText(/has changed since it was shown/)).toBeTruthy();
    isChanged = false;
    await press('Preview again');
    expect(screen.queryByText(/has changed since it was shown/)).toBeNull();
    await press('Move 1 server');
    expect(dialog()).toBeNull();
  });

  it('does not commit what differs from what was shown', async () => {
    const { moves } = await show({
      move: (_, number) => (number > 1 ? Promise.resolve('{ "command": "other" }') : undefined),
    });
    await tick('github', 'Cursor');
    await press('Move 1 server…');
    await press('Move 1 server');
    expect(moves.every(({ commit }) => commit === undefined)).toBe(true);
    expect(screen.getByText(/The file of Cursor has changed since this was shown/)).toBeTruthy();
  });
});

describe('the first move of a home', () => {
  const start = (name: string) =>
    screen.queryByRole<HTMLInputElement>('checkbox', { name: new RegExp(`^Start ${name}`), hidden: true });
  const choose = (name: string) => act(async () => fireEvent.click(start(name)!));
  const ask = async (given: Given = {}) => {
    const shown = await show(given);
    await tick('github', 'Cursor');
    await press('Move 1 server…');
    return shown;
  };

  it('asks when the panel is to start, and saves what was ticked once something is moved', async () => {
    const { patches, moves } = await ask();
    expect([start('with the first client')?.checked, start('at login')?.checked]).toEqual([false, false]);
    await choose('with the first client');
    expect(patches).toEqual([]);
    await press('Move 1 server');
    expect(moves.at(-1)?.commit).toBeDefined();
    expect(patches).toEqual([{ gateway: { startWithClients: true } }]);
    expect(dialog()).toBeNull();
  });

  it('saves nothing where it is cancelled, or where nothing could be moved', async () => {
    const conflict = error('CONFIG_CONFLICT', 'mcp.json has changed since it was shown.');
    const move = ({ commit }: Move) => (commit === undefined ? undefined : Promise.reject(conflict));
    const { patches } = await ask({ move });
    await choose('at login');
    await press('Move 1 server');
    expect(screen.getByText(/has changed since it was shown/)).toBeTruthy();
    await press('Cancel');
    expect(patches).toEqual([]);
  });

  it('tells of a setting that could not be saved', async () => {
    const putSettings = () => Promise.reject(error('PERMISSION_DENIED', 'the disk is full.'));
    const { services } = await ask({ putSettings });
    await choose('at login');
    await press('Move 1 server');
    const { note } = services.manage.state.getState();
    expect(note).toMatchObject({ lead: 'Not saved', error: { message: 'the disk is full.' } });
  });

  it.each([{ moved: true }, { lost: true }])('is over where another has %j', async (state) => {
    await ask({ found: [aFound(), aFound({ id: 'zed', name: 'Zed', servers: [aServer('memory', state)] })] });
    expect(dialog()).not.toBeNull();
    expect(start('at login')).toBeNull();
  });
});

describe('putting back', () => {
  const moved = aFound({ servers: [aServer('github', { moved: true }), aServer('memory', { moved: true })] });
  const at = { client: 'cursor', scope: 'user', path: '/home/.cursor/mcp.json' };
  const restored = {
    restored: [{ ...at, server: 'github' }],
    asked: [{ ...at, server: 'memory', reason: 'it was changed since it was moved' }],
  };

  it('of one program tells what was left and why, and what makes the program read it', async () => {
    const { restores } = await show({ found: [moved], restored: () => restored });
    await press('Back: Cursor');
    expect(restores).toEqual([{ client: 'cursor' }]);
    expect(screen.getByText('1 entry put back.')).toBeTruthy();
    expect(screen.getByText('Cursor: It reads its file again by itself.')).toBeTruthy();
    expect(
      screen.getByText(/memory \(yours, everywhere\) was left as it is: it was changed since it was moved/),
    ).toBeTruthy();
  });

  const change = { now: '{ "command": "new" }', then: '{ "command": "old" }', precondition: 'p1' };
  const askedFor = [{ ...restored.asked[0]!, change }];
  const back = (asked: Restore) =>
    asked.servers === undefined ? { restored: [], asked: askedFor } : { restored: [], asked: [] };

  it('over what was changed since shows both texts first', async () => {
    const { restores } = await show({ found: [moved], restored: back });
    await press('Back: Cursor');
    expect(screen.queryByText(/Change it yourself/)).toBeNull();
    await press('Compare: memory of Cursor');
    expect(screen.getByLabelText('Now', { selector: 'pre' }).textContent).toContain('new');
    expect(screen.getByLabelText('Put back', { selector: 'pre' }).textContent).toContain('old');
    expect(restores).toHaveLength(1);
    await press('Put back anyway: memory of Cursor');
    expect(restores[1]).toEqual({
      client: 'cursor',
      servers: [{ name: 'memory', scope: 'user', force: 'p1' }],
    });
    expect(screen.getByText('Cursor, memory (yours, everywhere) was put back.')).toBeTruthy();
  });

  it('over what has changed again is not done, and says so', async () => {
    const conflict = error('CONFIG_CONFLICT', 'it has changed since it was shown.');
    await show({
      found: [moved],
      restored: (asked) => {
        if (asked.servers !== undefined) throw conflict;
        return back(asked);
      },
    });
    await press('Back: Cursor');
    await press('Compare: memory of Cursor');
    await press('Put back anyway: memory of Cursor');
    expect(screen.getByText(/it has changed since it was shown/)).toBeTruthy();
    expect(screen.queryByText(/^Cursor, memory .* was put back/)).toBeNull();
  });

  it('of all programs is one press', async () => {
    const { restores } = await show({ found: [moved] });
    await press('Put all back');
    expect(restores).toEqual([{}]);
    expect(screen.getByText('Nothing was put back.')).toBeTruthy();
  });
});

describe('words about programs', () => {
  it.each([
    ['user', 'yours, everywhere'],
    ['user-2', 'yours, in a further file'],
    ['local:C:\\work', 'yours, only in C:\\work'],
    ['project:/home/shop', 'of the project /home/shop'],
    ['insiders:profile:a1', 'VS Code Insiders, in the profile a1'],
    ['vscodium:settings', 'VSCodium, in settings.json'],
    ['remote', 'on a remote machine'],
    ['anything', 'anything'],
  ])('name the scope %s: %s', (scope, words) => expect(ownerWords(scope)).toBe(words));

  const both = [aServer('github', { moved: true }), aServer('memory', { moved: true })];
  const use = (server: string) => aUse({ server, lastSeenAt: 50 });
  const reload = 'It reads its file again by itself.';
  it.each([
    [{}, [], undefined],
    [{ servers: both }, [], reload],
    [{ servers: both }, [{ lastSeenAt: 9 }], `Has not connected since the move. ${reload}`],
    [{ servers: both }, [{ lastSeenAt: 50 }], 'Has connected since the move, last seen just now.'],
    [
      { servers: both },
      [{ lastSeenAt: 50, sessions: [use('github')] }],
      `Has reconnected, but not yet to memory. ${reload}`,
    ],
    [
      { servers: both },
      [{ lastSeenAt: 5 }, { name: 'Cursor 2', lastSeenAt: 50, sessions: [use('github'), use('memory')] }],
      'Has reconnected.',
    ],
    [
      { servers: both, copies: [{ server: 'github', pids: [1], memoryBytes: 1 }] },
      [{ lastSeenAt: 50, sessions: [use('memory')] }],
      `Still runs its own github. ${reload}`,
    ],
    [{}, [{ lastSeenAt: 50, sessions: [use('github')] }], `Still uses the panel. ${reload}`],
  ])('of %j with clients %j: %s', (found, clients, words) => {
    const own = clients.map((client) => aClient({ name: 'Cursor', ...client }));
    expect(arrivalWords(aFound(found), own, 10, 60)).toBe(words);
  });
});
