import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RUN_MARKER_NAME } from '../../../electron/core/platform/child-environment.ts';
import { captureLoginPath, type LoginShellDeps } from '../../../electron/core/platform/login-shell.ts';
import { processTableForPlatform } from '../../../electron/core/platform/process-system.ts';
import { signallerForPlatform } from '../../../electron/core/platform/signals.ts';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import { onlyOn, skipOn } from '../../support/skip-on.ts';
import { isAlive } from '../../support/proc.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const table = processTableForPlatform();
/** PATH that a login on Linux gives to a shell. */
const LOGIN_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

describe('captureLoginPath', skipOn('win32', 'Windows has no login shell'), () => {
  let home: string;
  let markers: string[];

  beforeEach(() => {
    home = tempFolder('login-shell-');
    markers = [];
  });

  afterEach(async () => {
    const left = await Promise.all(markers.map((marker) => table.findByEnvironment(RUN_MARKER_NAME, marker)));
    expect(left.flat()).toEqual([]);
    expect((await pids()).filter(isAlive)).toEqual([]);
  });

  const depsOf = (shell: string, options: Partial<LoginShellDeps> = {}): LoginShellDeps => ({
    table,
    signaller: signallerForPlatform(process.platform),
    spawner: spawnChild,
    clock: systemClock,
    platform: 'linux',
    parent: { PATH: '/of/the/panel', HOME: home, SHELL: shell, NODE_OPTIONS: '--no-warnings' },
    home,
    createMarker: () => {
      const marker = randomBytes(16).toString('hex');
      markers.push(marker);
      return marker;
    },
    ...options,
  });

  /**
   * Writes a program that is called as a shell of that name is: `-ilc SCRIPT`. `$2` is the script; its pid is
   * recorded.
   */
  const fakeShell = async (body: string, name = 'zsh') => {
    const path = join(home, name);
    await writeFile(path, `#!/bin/sh\necho $$ >> "${home}/pids"\n${body}\n`);
    await chmod(path, 0o755);
    return path;
  };
  const pids = async () =>
    (await readFile(join(home, 'pids'), 'utf8').catch(() => '')).split('\n').filter(Boolean).map(Number);
  /** Shell words that wait until a second process is recorded. */
  const waitForSecond = () => `while [ $(wc -l < "${home}/pids") -lt 2 ]; do sleep 0.02; done;`;
  const setsid = process.platform === 'linux' ? 'setsid ' : '';
  const answer = 'PATH=/fake/bin:$PATH; export PATH; eval "$2"';

  it('takes the PATH that the shell has after its login', async () => {
    const shell = await fakeShell(`sleep 0.3; ${answer}`);
    expect(await captureLoginPath(depsOf(shell))).toMatchObject({
      path: `/fake/bin:${LOGIN_PATH}`,
      source: 'shell',
    });
  });

  it('lets it begin as after a login: with the session, and with nothing that another shell or npm has made', async () => {
    const parent = {
      SHELL: await fakeShell(`SEEN="$(env)"; export SEEN; ${answer}`),
      ...{ HOME: '/elsewhere', LANG: 'xx_YY.UTF-8', XDG_CONFIG_HOME: '/conf', SSH_AUTH_SOCK: '/agent' },
      ...{ PATH: '/venv/bin:/bin', VIRTUAL_ENV: '/venv', __ETC_PROFILE_SOURCED: '1', EDITOR: 'vi' },
      ...{ npm_execpath: '/npm-cli.js', NODE: '/node', DISPLAY: ':7', MCP_CONTROL_PANEL_HOME: '/panel' },
      MCP_CONTROL_PANEL_REPLACED: '{"DISPLAY":null}',
    };
    const { variables } = await captureLoginPath(depsOf('', { parent }));
    const seen = variables
      ?.get('SEEN')
      ?.split('\n')
      .filter((line) => !/^(_|PWD|SHLVL|OLDPWD)=/.test(line));
    expect(seen?.sort()).toEqual(
      [
        ...['DISABLE_AUTO_UPDATE=true', 'TERM=dumb', 'ZSH_TMUX_AUTOSTART=false'],
        ...[`HOME=${home}`, 'LANG=xx_YY.UTF-8', `MCP_CONTROL_PANEL_RUN=${markers[3]}`, `PATH=${LOGIN_PATH}`],
        ...[`SHELL=${parent.SHELL}`, 'SSH_AUTH_SOCK=/agent', 'XDG_CONFIG_HOME=/conf'],
      ].sort(),
    );
  });

  it('asks the real shells of this machine', async () => {
    await writeFile(join(home, '.profile'), 'export PATH="/from/profile:$PATH"\n');
    await writeFile(join(home, '.bash_profile'), 'export PATH="/from/bash:$PATH"; . ~/.bashrc\n');
    await writeFile(join(home, '.bashrc'), 'case $- in *i*) PATH="/interactive:$PATH" ;; esac\n');
    const fromSh = await captureLoginPath(depsOf('/bin/sh'));
    expect(fromSh).toMatchObject({ source: 'shell', path: /^\/from\/profile:/ });
    const fromBash = await captureLoginPath(depsOf('/bin/bash'));
    expect(fromBash).toMatchObject({ source: 'shell', path: /^\/interactive:\/from\/bash:/ });
  });

  it('is not misled by banners, echoed commands and values with line breaks', async () => {
    const shell = await fakeShell(
      [
        'echo "Welcome!"; echo "PATH=/wrong"; echo "$@"; printf "\\033[1mcolours\\033[0m\\0\\0"',
        'EVIL="x\nPATH=/evil\n"; export EVIL',
        answer,
        'echo "Good-bye"; echo "PATH=/wrong" >&2',
      ].join('\n'),
    );
    const { path, source, variables } = await captureLoginPath(depsOf(shell));
    expect([path, source]).toEqual([`/fake/bin:${LOGIN_PATH}`, 'shell']);
    expect([variables?.get('EVIL'), variables?.has('UNSET')]).toEqual(['x\nPATH=/evil\n', false]);
  });

  it('does without `env -0`', async () => {
    const script = `script="$(printf %s "$2" | sed 's#/usr/bin/env -0#:#')"`;
    const shell = await fakeShell(`${script}; PATH=/fake/bin; export PATH; eval "$script"`);
    expect(await captureLoginPath(depsOf(shell))).toMatchObject({ path: '/fake/bin', source: 'shell' });
  });

  it(
    'gives the shell neither a terminal, nor input, nor what is ours, in a session of its own',
    onlyOn('linux', 'it asks the ps of Linux'),
    async () => {
      const shell = await fakeShell(
        `SEEN="\${NODE_OPTIONS-unset} $(cat | wc -c | tr -d ' ') $(test -t 0 || test -t 1 || echo no-tty) $(ps -o sid= -p $$ | tr -d ' ')"; export SEEN; ${answer}`,
      );
      const { variables } = await captureLoginPath(depsOf(shell));
      const [pid] = await pids();
      expect(variables?.get('SEEN')).toBe(`unset 0 no-tty ${pid}`);
    },
  );

  it('takes the answer while a daemon of the shell still holds the output, and ends the daemon', async () => {
    const shell = await fakeShell(
      `(trap '' HUP; exec ${setsid}sh -c 'echo $$ >> "${home}/pids"; exec sleep 600') & ${waitForSecond()} ${answer}`,
    );
    expect(await captureLoginPath(depsOf(shell))).toMatchObject({ source: 'shell' });
    expect(await pids()).toHaveLength(2);
  });

  it('takes an answer whose last mark comes in two parts, before the shell has ended', async () => {
    const inTwoParts = String.raw`s#printf [^ ]* \([^ ]*\) \([^ ]*\)$#printf %s \1; sleep 0.3; printf %s \2; exec sleep 600#`;
    const shell = await fakeShell(
      `PATH=/fake/bin:$PATH; export PATH; eval "$(printf %s "$2" | sed '${inTwoParts}')"`,
    );
    // Without an end of the wait, because what came until then counts as well.
    const answered = await captureLoginPath(depsOf(shell, { timeoutMs: 2 ** 30 }));
    expect(answered).toMatchObject({ source: 'shell' });
  });

  it('ends a shell that hangs and ignores SIGTERM, with its children', async () => {
    const shell = await fakeShell(
      `trap '' TERM; sh -c 'trap "" TERM; echo $$ >> "${home}/pids"; while :; do sleep 1; done' & while :; do sleep 1; done`,
    );
    const capture = captureLoginPath(depsOf(shell, { timeoutMs: 400 }));
    expect((await capture).problem).toBe('zsh did not tell its environment within 400 ms');
    expect(await pids()).toHaveLength(2);
  });

  it('ends a shell when nobody wants the answer any more', async () => {
    const shell = await fakeShell('sleep 600');
    const abort = new AbortController();
    const capture = captureLoginPath(depsOf(shell), abort.signal);
    await waitUntil(async () => (await pids()).length > 0, { deadlineMs: 5000, describe: 'the shell runs' });
    abort.abort();
    expect((await capture).problem).toBe('zsh was ended before it answered');
  });

  it('stops listening to a shell that prints for ever', async () => {
    const shell = await fakeShell('while :; do printf "%01000d" 0 0 0 0 0 0 0 0 0 0; done');
    expect((await captureLoginPath(depsOf(shell))).problem).toContain('printed megabytes');
  });

  it.each([
    ['exits with an error', 'exit 1', 'zsh', 'zsh ended with code 1 without telling its environment'],
    ['says nothing', 'exit 0', 'bash', 'bash ended with code 0 without telling its environment'],
    ['kills itself', 'kill -9 $$', 'zsh', 'zsh ended by SIGKILL without telling its environment'],
    ['has a language of its own', answer, 'nu', 'nu cannot be asked for its environment'],
  ])('falls back to the folders that exist when the shell %s', async (_, body, name, problem) => {
    for (const folder of [
      '.cargo/bin',
      '.local/bin',
      '.nvm/versions/node/v9.1.0/bin',
      '.nvm/versions/node/v22.3.0/bin',
    ])
      await mkdir(join(home, folder), { recursive: true });
    const found = await captureLoginPath(depsOf(await fakeShell(body, name)));
    expect(found).toMatchObject({ source: 'fallback', problem });
    expect(found.path?.split(':').slice(0, 3)).toEqual([
      join(home, '.nvm/versions/node/v22.3.0/bin'),
      join(home, '.local/bin'),
      join(home, '.cargo/bin'),
    ]);
  });

  it('takes the version that nvm has as its default', async () => {
    for (const version of ['v18.20.1', 'v20.1.0', 'v22.3.0'])
      await mkdir(join(home, '.nvm/versions/node', version, 'bin'), { recursive: true });
    await mkdir(join(home, '.nvm/alias'));
    await writeFile(join(home, '.nvm/alias/default'), '20\n');
    const { path } = await captureLoginPath(depsOf(join(home, 'no-such', 'zsh')));
    expect(path?.split(':')[0]).toBe(join(home, '.nvm/versions/node/v20.1.0/bin'));
  });

  it('names a shell that is not there', async () => {
    const { problem } = await captureLoginPath(depsOf('/no/such/zsh'));
    expect(problem).toContain('"/no/such/zsh" was not found');
  });

  it('asks the shell of the list of people where SHELL is not set, and nobody on Windows', async () => {
    const userShell = await fakeShell(answer);
    const parent = { PATH: '/usr/bin:/bin', HOME: home };
    expect(await captureLoginPath(depsOf('', { parent, userShell }))).toMatchObject({ source: 'shell' });
    expect(await captureLoginPath(depsOf(userShell, { platform: 'win32' }))).toEqual({ source: 'none' });
  });
});
