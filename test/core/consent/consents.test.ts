import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { npxFolder } from '../../../electron/core/config/moving/copies/command-forms.ts';
import { consentMode } from '../../../electron/core/consent/consent-mode.ts';
import { openConsents } from '../../../electron/core/consent/consents.ts';
import { differenceWords } from '../../../electron/core/consent/difference.ts';
import { pinOf } from '../../../electron/core/consent/installed-version.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { configOf as config } from '../../support/config-of.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { skipOn } from '../../support/skip-on.ts';
import { createFakeClock } from '../fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const STDIO = { command: 'node', args: ['server.js', '--port', '80'], env: { MODE: 'a' } };
const TOKEN = 'ghp_abcdefghijklmnopqrstuvwx0123456789';

const newHome = () => tempFolder('consents-');

async function open(home: string, configs: readonly ServerConfig[] = [], consent: 'ask' | 'agree' = 'ask') {
  const clock = createFakeClock();
  const notices: string[] = [];
  const options = { home, clock, wallClock: clock, randomBytes, consent, howToAgree: () => 'here' };
  const consents = await openConsents({ ...options, notice: (line) => notices.push(line) }, configs);
  onTestFinished(() => consents.dispose());
  /** Reads the configuration while `running` runs, and says whether it was taken over. */
  const read = (onDisk: ServerConfig, running?: ServerConfig) => consents.inForce([onDisk], () => running)[0];
  /** What there is to see while time passes. */
  const passing = <T>(look: () => T) =>
    expect.poll(async () => {
      await clock.advance(500);
      return look();
    });
  return { clock, consents, notices, passing, read };
}

describe('consents', () => {
  it('hold for what is there at the first use, which is said once, in files of their owner alone', async () => {
    const home = newHome();
    const one = config(STDIO);
    const first = await open(home, [one]);
    expect(first.consents.isAgreed('one', one)).toBe(true);
    expect(first.notices).toEqual([expect.stringContaining('because they already existed: one')]);
    const again = await open(home, [config({ command: 'evil' })]);
    expect(again.notices).toEqual([]);
    expect(again.consents.isAgreed('one', one)).toBe(true);
    expect(again.consents.isAgreed('one', config({ command: 'evil' }))).toBe(false);
    if (process.platform !== 'win32')
      for (const name of ['consent.key', 'consents.json'])
        expect(statSync(join(home, name)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['an argument', { ...STDIO, args: ['server.js', '--port', '81'] }],
    ['an added argument', { ...STDIO, args: [...STDIO.args, '-x'] }],
    ['the order of arguments', { ...STDIO, args: ['--port', '80', 'server.js'] }],
    ['the transport', { url: 'https://a.example/mcp' }],
  ])('are asked for when %s is changed outside', async (_, entry) => {
    const { consents, notices, read } = await open(newHome(), [config(STDIO)]);
    const changed = config(entry);
    expect(read(changed, config(STDIO))).toMatchObject({ command: 'node' });
    expect(read(changed)).toEqual(changed);
    expect(() => consents.requireAgreed('one', changed)).toThrow(
      expect.objectContaining({ code: 'CONSENT_REQUIRED' }),
    );
    expect(consents.question('one')).toEqual({ digest: consents.look(changed).digest });
    expect(notices.at(-1)).toMatch(/^one was changed outside the panel .*until you agree, here: /);
  });

  it.each([
    ['address', { url: 'https://b.example/mcp' }],
    ['header', { url: 'https://a.example/mcp', headers: { Accept: 'x' } }],
    ['kind', { url: 'https://a.example/mcp', type: 'sse' }],
    ['check of certificates', { url: 'https://a.example/mcp', tls: { verify: false } }],
  ])('are asked for when the %s of a remote server is changed outside', async (_, entry) => {
    const { consents, read } = await open(newHome(), [config({ url: 'https://a.example/mcp' })]);
    read(config(entry));
    expect(consents.question('one')).toBeDefined();
  });

  it('are not asked for when settings, the switch or the order of variables change', async () => {
    const { consents, read } = await open(newHome(), [config({ ...STDIO, env: { A: '1', B: '2' } })]);
    const same = config({ ...STDIO, env: { B: '2', A: '1' }, disabled: true, panel: { stopGraceMs: 1 } });
    expect(read(same)).toBe(same);
    expect(consents.question('one')).toBeUndefined();
  });

  it('let the old definition run on with the new settings', async () => {
    const old = config(STDIO);
    const { read } = await open(newHome(), [old]);
    const changed = config({ command: 'evil', disabled: true, panel: { stopGraceMs: 1 } });
    expect(read(changed, old)).toEqual({ ...old, enabled: false, panel: changed.panel });
  });

  it.each([
    [
      'another engine',
      { runOn: { engine: 'docker', host: 'ssh://evil.example' } },
      { field: 'runOn', after: '{"engine":"docker","host":"ssh://evil.example"}' },
    ],
    [
      'a check that calls a tool',
      { health: { check: { tool: 'delete_all', arguments: { key: TOKEN, password: 'horse staple' } } } },
      { field: 'health.check' },
    ],
  ])('are asked for %s, and the server goes on without it', async (_, panel, line) => {
    const container = { command: 'docker', args: ['run', '-i', 'image'] };
    const old = config(container);
    const { consents, read } = await open(newHome(), [old]);
    const changed = config({ ...container, panel: { ...panel, stopGraceMs: 1 } });
    expect(read(changed, old)).toEqual({ ...old, panel: { ...old.panel, stopGraceMs: 1 } });
    expect(consents.question('one')).toBeDefined();
    const { lines } = consents.look(changed).difference;
    expect(lines).toMatchObject([line]);
    expect(JSON.stringify(lines)).not.toContain(TOKEN);
    expect(JSON.stringify(lines)).not.toContain('horse staple');
    await consents.agreeTo([changed], 'window');
    expect(read(changed, old)).toBe(changed);
  });

  it('count again when a definition comes back, up to twenty of a name', async () => {
    const home = newHome();
    const { consents, read } = await open(home, [config(STDIO)]);
    const numbered = Array.from({ length: 20 }, (_, at) => config({ command: `c${at}` }));
    for (const one of numbered.slice(0, 19)) await consents.agreeTo([one], 'window');
    read(config(STDIO));
    expect(consents.question('one')).toBeUndefined();
    await consents.agreeTo(numbered.slice(19), 'window');
    await consents.flush();
    const again = await open(home);
    expect(again.consents.isAgreed('one', config(STDIO))).toBe(true);
    expect(again.consents.isAgreed('one', config({ command: 'c0' }))).toBe(false);
    expect(again.consents.isAgreed('one', config({ command: 'c19' }))).toBe(true);
  });

  it('replace the question by the next edit, and remember that one was put off', async () => {
    const home = newHome();
    const { consents, notices, read } = await open(home, [config(STDIO)]);
    read(config({ command: 'first' }));
    const { digest } = consents.question('one')!;
    await consents.postpone('one', digest);
    expect(consents.question('one')).toEqual({ digest, isPostponed: true });
    read(config({ command: 'second' }));
    expect(consents.question('one')?.digest).not.toBe(digest);
    expect(consents.question('one')?.isPostponed).toBeUndefined();
    expect(notices.filter((line) => line.startsWith('one'))).toHaveLength(2);
    const again = await open(home);
    again.read(config({ command: 'first' }));
    expect(again.consents.question('one')).toEqual({ digest, isPostponed: true });
  });

  const damage: readonly (readonly [string, (home: string) => void])[] = [
    ['consent.key is deleted', (home) => rmSync(join(home, 'consent.key'))],
    ['consent.key is another', (home) => writeFileSync(join(home, 'consent.key'), 'ab'.repeat(32))],
    ['consents.json is no JSON', (home) => writeFileSync(join(home, 'consents.json'), '{')],
    [
      'a consent is written into consents.json',
      (home) => {
        const path = join(home, 'consents.json');
        const { consents, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as { consents: object[] };
        const forged = { ...consents[0], digest: '0'.repeat(64) };
        writeFileSync(path, JSON.stringify({ ...rest, consents: [...consents, forged] }));
      },
    ],
  ];
  it.each(damage)('are lost, and said to be once, where %s', async (_, harm) => {
    const home = newHome();
    const one = config(STDIO);
    await open(home, [one]);
    harm(home);
    const { consents, notices, read } = await open(home, [one]);
    expect(notices).toEqual([expect.stringMatching(/^Nothing new runs until you agree/)]);
    read(one);
    expect(consents.question('one')).toBeDefined();
    await consents.agreeTo([one], 'window');
    const again = await open(home, [one]);
    expect(again.notices).toEqual([]);
    expect(again.consents.isAgreed('one', one)).toBe(true);
  });

  it('stay in force and are written anew where another program changes the file meanwhile', async () => {
    const home = newHome();
    const one = config(STDIO);
    const { consents, notices, passing } = await open(home, [one]);
    writeFileSync(join(home, 'consents.json'), '{}');
    const anew = /writes it again: consents\.json: another program has changed it/;
    await passing(() => notices.at(-1)).toMatch(anew);
    await consents.flush();
    expect(consents.isAgreed('one', one)).toBe(true);
    expect((await open(home)).notices).toEqual([]);
  });

  it('are not written again and again where the key is lost meanwhile, which is said once', async () => {
    const home = newHome();
    const { clock, consents, notices, passing } = await open(home, [config(STDIO)]);
    rmSync(join(home, 'consent.key'));
    await consents.agreeTo([config({ command: 'x' })], 'window');
    const before = statSync(join(home, 'consents.json')).mtimeMs;
    await passing(() => notices.at(-1)).toMatch(/ask again at its next start: consent\.key/);
    for (let look = 0; look < 5; look += 1) await clock.advance(500);
    await consents.flush();
    expect(notices.filter((line) => line.includes('consent.key'))).toHaveLength(1);
    expect(statSync(join(home, 'consents.json')).mtimeMs).toBe(before);
  });

  it('are given by themselves in a test, which is said once', async () => {
    const { consents, notices, read } = await open(newHome(), [], 'agree');
    read(config({ command: 'one' }));
    read(config({ command: 'two' }));
    expect(consents.question('one')).toBeUndefined();
    expect(notices).toEqual(['In a test, definitions from outside are agreed to automatically.']);
  });

  it('hold no word of a definition that can be read in the file', async () => {
    const home = newHome();
    const { consents } = await open(home, [
      config({ command: 'node', args: ['plain-word', TOKEN], env: { PIN: '4711' } }),
    ]);
    await consents.flush();
    const text = readFileSync(join(home, 'consents.json'), 'utf8');
    for (const word of ['plain-word', TOKEN, '4711', 'node']) expect(text).not.toContain(word);
  });

  it('never let run what nobody agreed to, whatever is edited, agreed to and restarted', async () => {
    const commands = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('edit' as const), command: commands }),
      fc.record({ kind: fc.constantFrom('agree' as const, 'postpone' as const, 'reopen' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const home = newHome();
        const agreed = new Set(['a']);
        let onDisk = config({ command: 'a' });
        let running = onDisk;
        let { consents } = await open(home, [onDisk]);
        for (const one of steps) {
          if (one.kind === 'edit') onDisk = config({ command: one.command });
          if (one.kind === 'reopen') {
            await consents.flush();
            ({ consents } = await open(home, [onDisk]));
          }
          const { digest } = consents.question('one') ?? {};
          if (one.kind === 'postpone' && digest !== undefined) await consents.postpone('one', digest);
          if (one.kind === 'agree') {
            await consents.agreeTo([onDisk], 'window');
            agreed.add((onDisk as { command: string }).command);
          }
          const [next] = consents.inForce([onDisk], () => running);
          const isAsked = !agreed.has((onDisk as { command: string }).command);
          expect(consents.question('one') !== undefined).toBe(isAsked);
          expect(next).toEqual(isAsked ? running : onDisk);
          running = next!;
        }
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});

describe('the difference', () => {
  const difference = async (before: object | undefined, after: object) => {
    const { consents } = await open(newHome(), before ? [config(before)] : []);
    return consents.look(config(after)).difference;
  };

  it('names argument, variable and folder, whole, with nothing hidden and no secret', async () => {
    const long = 'x'.repeat(9000);
    const { lines, isNew } = await difference(
      { command: 'node', args: ['a.js', '--old', 'end'], env: { TOKEN, GONE: '1' } },
      { command: 'node', args: ['a.js', `\u202e${long}`, 'end'], env: { TOKEN: `${TOKEN}9` }, cwd: '/w' },
    );
    expect(isNew).toBe(false);
    expect(lines).toEqual([
      { field: 'cwd', after: '/w' },
      {
        field: 'env.TOKEN',
        before: expect.stringMatching(/^\[secret [0-9a-f]{8}\]$/) as string,
        after: expect.stringMatching(/^\[secret [0-9a-f]{8}\]$/) as string,
      },
      { field: 'env.GONE', before: '1' },
      { field: 'args[1]', before: '--old', after: `‹U+202E›${long}` },
    ]);
    expect(lines[1]?.before).not.toBe(lines[1]?.after);
    expect(JSON.stringify(lines)).not.toContain(TOKEN);
  });

  it.each([
    ['a host in a variable', { ...STDIO, env: { TOKEN, API: 'https://evil.example/x' } }, 'evil.example'],
    [
      'a host in an argument',
      { ...STDIO, args: ['server.js', 'http://evil.example:81/'], env: { TOKEN } },
      'evil.example:81',
    ],
    [
      'the host behind two signs',
      { ...STDIO, args: ['http://a@b@evil.example/'], env: { TOKEN } },
      'evil.example',
    ],
    ['a program', { command: 'curl', env: { TOKEN } }, 'curl'],
    ['a package', { command: 'npx', args: ['-y', 'evil'], env: { TOKEN } }, 'npx evil'],
  ])('names %s that is a new receiver of a secret in its first line', async (_, after, receiver) => {
    const { receivers } = await difference({ ...STDIO, env: { TOKEN } }, after);
    expect(receivers.at(-1)).toContain(`TOKEN to ${receiver} (new)`);
    expect(differenceWords(await difference({ ...STDIO, env: { TOKEN } }, after))).toMatch(/^Sends /);
  });

  it('names a secret that a known receiver gets for the first time, and none that it had', async () => {
    const before = { url: 'https://a.example/mcp', headers: { Authorization: 'Bearer ${secret:OLD}' } };
    const after = { ...before, headers: { ...before.headers, 'X-Key': '${secret:NEW}' } };
    expect((await difference(before, after)).receivers).toEqual(['Sends NEW to a.example (new)']);
    expect((await difference(before, { ...before, type: 'sse' })).receivers).toEqual([]);
    expect((await difference(before, after)).lines).toEqual([
      { field: 'headers.X-Key', after: '${secret:NEW}' },
    ]);
  });

  it.each([
    [
      { command: 'npx', args: ['-y', '@a/b'] },
      'Downloads and runs the newest “@a/b” from npm at every start',
    ],
    [
      { command: 'uvx', args: ['pkg@latest'] },
      'Downloads and runs the newest “pkg” from PyPI at every start',
    ],
    [{ command: 'npx', args: ['-y', '@a/b@1.2.3'] }, 'Downloads and runs @a/b from npm'],
    [{ command: 'sh', args: ['-c', 'id'] }, 'It runs a shell script.'],
    [{ command: 'node', args: [], env: { NODE_OPTIONS: '-r x' } }, 'NODE_OPTIONS can load other code.'],
    [{ url: 'https://a.example/mcp' }, 'Connects to a.example'],
    [{ url: 'https://a.example/', tls: { verify: false } }, 'Accepts any certificate of a.example'],
  ])('says in words what %o does', async (entry, words) => {
    const found = await difference(undefined, entry);
    expect(found.isNew).toBe(true);
    expect(found.words).toContain(words);
  });

  it(
    'offers the version of a package that is installed',
    skipOn('win32', 'npm has another cache'),
    async () => {
      const userHome = newHome();
      const folder = join(userHome, '.npm', '_npx', npxFolder('@a/b'), 'node_modules', '@a', 'b');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.4.2' }));
      const where = { environment: {}, userHome };
      const pin = await pinOf(config({ command: 'npx', args: ['-y', '@a/b', '--x'] }), where);
      expect(pin).toMatchObject({ package: '@a/b', version: '1.4.2' });
      expect(pin?.config.args).toEqual(['-y', '@a/b@1.4.2', '--x']);
      expect(await pinOf(config({ command: 'npx', args: ['@a/b@1'] }), where)).toBeUndefined();
      expect(await pinOf(config({ command: 'npx', args: ['other'] }), where)).toBeUndefined();
    },
  );
});

describe('the mode of consent', () => {
  it.each([
    [{}, true, 'ask'],
    [{ MCP_CONTROL_PANEL_TEST: '1' }, true, 'agree'],
    [{ MCP_CONTROL_PANEL_TEST: '1', MCP_CONTROL_PANEL_CONSENT: 'ask' }, true, 'ask'],
    [{ MCP_CONTROL_PANEL_TEST: '1', MCP_CONTROL_PANEL_CONSENT: 'agree' }, false, 'ask'],
  ] as const)('with %o, in a build that may be tested: %s, is %s', (environment, mayBeTest, mode) => {
    expect(consentMode(environment, mayBeTest)).toBe(mode);
  });
});
