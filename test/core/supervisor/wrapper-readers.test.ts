import { describe, expect, it } from 'vitest';
import { nameOfEntry } from '../../../electron/core/config/import/name-of-entry.ts';
import { signalOf } from '../../../electron/core/supervisor/diagnosis/end-words.ts';
import { limitSampleOf } from '../../../electron/core/supervisor/limits/limited-tree.ts';
import { packageRunOfCommand } from '../../../shared/package-run.ts';
import { collectFacts } from '../../../electron/core/telemetry/tree-facts.ts';
import { sampleTree } from '../../../electron/core/telemetry/tree-sample.ts';
import { reading } from '../telemetry/reading.ts';

/** Readers of command lines or process trees, which must know a program that only runs another one. */
const readers: Readonly<Record<string, (program: string) => boolean>> = {
  /**
   * Pipes: stopping the program by a signal is no stop of the server while another process holds the pipes
   * behind it.
   */
  pipes: (program) => {
    const outer = reading({ pid: 1, ppid: 9, command: program, isStopped: true, holdsPipes: true });
    const inner = reading({ pid: 2, ppid: 1, command: 'inner', holdsPipes: true });
    return collectFacts([outer, inner], undefined).stoppedServer === undefined;
  },
  /** Exit code above 128 tells a signal. */
  code: (program) => signalOf({ exitCode: 137 }, program, ['x']) === 'SIGKILL',
  /** Memory of the program is not the server's while it waits for a child. */
  memory: (program) => judgedBytes(program, program, 'inner') === 10,
  /**
   * Root: where the command line runs a package with it, that also holds for a root process of another name.
   */
  root: (program) => judgedBytes(runsPackage(program), 'node', 'inner') === 10,
  /**
   * Shell: where a process of that name is the root, the runner that the command line names is the one below.
   */
  shell: (program) => judgedBytes('npx x', program, 'node', 'inner') === 101,
  /** Name of a pasted entry comes from what the program runs, not from the program. */
  name: (program) => nameOfEntry({ command: program, args: ['telling'] }) === 'telling',
};

const SUBCOMMANDS: Readonly<Record<string, string>> = {
  npm: 'exec',
  pnpm: 'dlx',
  yarn: 'dlx',
  bun: 'x',
  uv: 'tool run',
  pipx: 'run',
};
const runsPackage = (program: string): string => [program, SUBCOMMANDS[program] ?? [], 'x'].flat().join(' ');

/**
 * Memory that counts for the limits, of processes of 1, 10 and 100 bytes, each the child of the one before.
 */
function judgedBytes(commandLine: string, ...commands: string[]): number | undefined {
  const readings = commands.map((command, index) =>
    reading({ pid: 10 + index, ppid: 9 + index, command, privateBytes: 10 ** index, sharedBytes: 0 }),
  );
  const { tree } = sampleTree(undefined, readings, { epochMs: 0, nowMs: 0 });
  const [command = '', ...args] = commandLine.split(' ');
  return limitSampleOf(tree, packageRunOfCommand(command, args)).memoryBytes;
}

describe('programs that only run another one', () => {
  it.each([
    // Shells.
    ['sh bash dash ash zsh ksh mksh fish busybox', 'pipes code shell name'],
    ['cmd powershell pwsh', 'pipes shell name'],
    // Runners of packages: uv and pipx may become what they run.
    ['npm npx pnpm pnpx yarn bunx', 'pipes code memory root name'],
    ['uv uvx pipx', 'pipes code memory name'],
    // Tools that prepare versions, environments or secrets. `bun server.ts` is the server itself, with
    // browsers below it.
    ['bun', 'pipes code root name'],
    ['poetry', 'pipes code name'],
    ['pdm hatch rye pixi conda mamba micromamba', 'pipes name'],
    ['corepack volta volta-shim fnm nvm mise asdf direnv nix', 'pipes name'],
    ['dotenv dotenvx op doppler infisical', 'pipes name'],
    // Tools that change the user, the limits or the display of what they run.
    ['env timeout tini dumb-init xvfb-run', 'pipes code name'],
    ['sudo su nice nohup stdbuf setsid', 'pipes name'],
    // Containers run in no tree of ours: stopped, the program is in the way of every answer.
    ['docker podman nerdctl', 'code name'],
    // Names as Windows and full paths write them.
    ['bash.exe', 'pipes code shell name'],
    ['npm.cmd', 'pipes code memory root name'],
    ['docker.exe', 'code name'],
    ['/usr/bin/env', 'pipes code name'],
    // Interpreters are the server.
    ['node python3', 'name'],
    ['some-server', ''],
  ])('%s: %j', (programs, expected) => {
    for (const program of programs.split(' ')) {
      const found = Object.entries(readers).filter(([, holds]) => holds(program));
      expect(found.map(([name]) => name).join(' '), program).toBe(expected);
    }
  });

  it('are known by the first word of what a process calls itself', () => {
    expect(judgedBytes('x', 'npm exec @scope', 'inner')).toBe(10);
  });

  it('are known behind the shell of Windows, where they tell a signal', () => {
    expect(signalOf({ exitCode: 137 }, 'cmd', ['/c', 'npx', 'x'])).toBe('SIGKILL');
  });
});
