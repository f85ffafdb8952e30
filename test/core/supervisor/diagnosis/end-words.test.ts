import { describe, expect, it } from 'vitest';
import {
  endError,
  signalOf,
  type EndCause,
} from '../../../../electron/core/supervisor/diagnosis/end-words.ts';

interface Ending {
  readonly exit?: EndCause['exit'];
  readonly isUp?: boolean;
  readonly stderr?: string;
  readonly command?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * End of a server that was started by `command`: by default with code 1, in silence, before its handshake.
 */
function ended({
  exit = { exitCode: 1 },
  isUp = false,
  stderr = '',
  command = 'node server.js',
  ...rest
}: Ending) {
  const [program = '', ...args] = command.split(' ');
  const launch = { command: program, args, env: {}, environment: {}, ...rest };
  return endError(isUp ? 'CRASHED' : 'START_FAILED', { exit, isStarting: !isUp, stderr, launch });
}

const NO_TOKEN = `Error: SLACK_BOT_TOKEN is required
    at main (/srv/server.js:3:9)

Node.js v24.21.0
`;

describe('the error of a container', () => {
  const run = 'docker run -i --rm --memory 96m mcp/box:1 serve';

  it('says that it ran out of memory, and how much it may use', () => {
    const exit = { exitCode: 137, outOfMemory: { limitBytes: 96 * 1024 * 1024 } };
    expect(ended({ command: run, exit, isUp: true })).toMatchObject({
      message: 'ran out of memory: its container may use 96 MiB (was ended by SIGKILL)',
      data: { exitCode: 137, fix: { kind: 'free-memory' } },
    });
    expect(ended({ command: run, exit: { exitCode: 137, outOfMemory: {} } }).message).toMatch(
      /engine's machine/,
    );
    expect(ended({ command: run, exit: { exitCode: 137 } }).message).toContain('was ended by SIGKILL');
  });

  it('says that its engine went away, in place of the signal that ended it', () => {
    const error = ended({ command: run, exit: { exitCode: 143, isEngineLost: true }, isUp: true });
    expect(error.message).toBe('lost its engine: docker does not answer (was ended by SIGTERM)');
    expect(error.data).toMatchObject({ isEngineLost: true });
  });

  it('says that only the client of its engine was ended', () => {
    const exit = { signal: 'SIGKILL', isClientAlone: true };
    const error = ended({ command: run, exit, isUp: true });
    expect(error.message).toBe(
      'lost its container: the client of docker ended, not the server (was ended by SIGKILL)',
    );
    expect(error.data).toMatchObject({ signal: 'SIGKILL' });
  });

  it.each([
    [
      125,
      `Unable to find image 'mcp/box:1' locally\ndocker: Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: no such host`,
      'the image mcp/box:1 is not here and could not be pulled: docker: Error',
      'check-image',
    ],
    [
      127,
      'docker: Error response from daemon: OCI runtime create failed: unable to start container process: exec: "serve": executable file not found in $PATH: unknown',
      'the image mcp/box:1 has no program "serve" (exited with code 127)',
      'check-arguments',
    ],
    [
      126,
      'Error: runc: runc create failed: unable to start container process: exec: "serve": permission denied: OCI permission denied',
      '"serve" in the image mcp/box:1 may not be executed',
      'check-arguments',
    ],
    [127, 'sh: 1: other: not found', 'sh: 1: other: not found', 'install-command'],
    [
      125,
      'docker: Cannot connect to the Docker daemon at unix:///x.sock.',
      'docker: Cannot connect',
      'start-engine',
    ],
    [
      125,
      'Error: creating container storage: the container name "box" is already in use by 91e1. You have to remove that container to be able to reuse that name.',
      'Error: creating container storage',
      'remove-container',
    ],
  ])('says what its engine refused: %s %s', (exitCode, stderr, message, kind) => {
    const error = ended({ command: run, exit: { exitCode }, stderr });
    expect(error.message).toContain(message);
    expect(error.data).toMatchObject({ fix: { kind } });
  });
});

describe('the error of an end', () => {
  it('begins with the cause, then says how it ended', () => {
    expect(ended({ stderr: NO_TOKEN })).toMatchObject({
      code: 'START_FAILED',
      message: 'Error: SLACK_BOT_TOKEN is required (exited with code 1 before its handshake)',
      remedy: "Set SLACK_BOT_TOKEN in the server's environment.",
      short: {
        phrase: 'Error: SLACK_BOT_TOKEN is required (exited with code 1 before its handshake)',
        brief: 'Error: SLACK_BOT_TOKEN is required',
      },
    });
    expect(ended({ stderr: NO_TOKEN, isUp: true })).toMatchObject({
      code: 'CRASHED',
      message: 'Error: SLACK_BOT_TOKEN is required (exited with code 1)',
    });
  });

  it('holds the facts it rests on, for whoever tells it in another way', () => {
    const { data } = ended({ stderr: `starting\n${NO_TOKEN}` });
    expect(data).toEqual({
      exitCode: 1,
      stderrTail: `starting\n${NO_TOKEN}`,
      cause: 'Error: SLACK_BOT_TOKEN is required',
      causeLines: ['starting', 'Error: SLACK_BOT_TOKEN is required'],
      fix: {
        kind: 'set-variable',
        variable: 'SLACK_BOT_TOKEN',
        variables: ['SLACK_BOT_TOKEN'],
        isSet: false,
      },
    });
  });

  it('asks for a look at a variable that the entry sets already', () => {
    const error = ended({ stderr: NO_TOKEN, env: { SLACK_BOT_TOKEN: 'x' } });
    expect(error.remedy).toBe("Check the value of SLACK_BOT_TOKEN in the server's environment.");
    expect(error.data).toMatchObject({ fix: { isSet: true } });
  });

  it('does not pass a greeting off as the cause', () => {
    const error = ended({ stderr: 'Weather server running on stdio\n', isUp: true });
    expect(error.message).toBe(
      'The server exited with code 1. Its last output: Weather server running on stdio',
    );
    expect(error.remedy).toBe('Read what it wrote to stderr.');
  });

  it('tells the cause from a long stack, of which only the end is kept for show', () => {
    const stack = Array.from(
      { length: 150 },
      (_, index) => `\tat com.example.Frame${index}.run(Frame.java:${index})`,
    );
    const stderr = ['java.lang.IllegalStateException: the store is locked', ...stack].join('\n');
    const { message, data } = ended({ stderr, command: 'java -jar x.jar' });
    expect(message).toMatch(/^java\.lang\.IllegalStateException: the store is locked \(/);
    expect((data!['stderrTail'] as string).split('\n')).toHaveLength(20);
  });

  it('says what can be said of a silent end', () => {
    expect(ended({})).toMatchObject({
      message: 'The server exited with code 1 before its handshake was complete.',
      remedy: 'It wrote nothing to stderr; run its command in a terminal to see why.',
      short: { phrase: 'exited with code 1 before its handshake was complete' },
    });
    expect(ended({ exit: { exitCode: 0 } }).remedy).toContain('speaks over stdio');
  });
});

describe('an end by a signal', () => {
  it.each([
    ['itself', { signal: 'SIGKILL' }, 'node server.js', ''],
    ['npx', { exitCode: 137 }, 'npx -y some-server', 'npm notice\nnpm notice New version\nnpm notice\n'],
    ['npm exec', { exitCode: 137 }, 'npm exec some-server', 'Killed\n'],
    ['a shell', { exitCode: 137 }, 'sh -c some-server', 'Killed\n'],
    [
      'a shell that tells the line',
      { exitCode: 137 },
      'bash run.sh',
      'run.sh: line 3:  4021 Killed                  node x\n',
    ],
    ['a container', { exitCode: 137 }, 'docker run -i mcp/some-server', ''],
    ['uvx', { exitCode: 137 }, 'uvx some-server', 'Error: something that it logged an hour ago\n'],
  ])('is told as one when %s tells of it, with the likely reason', (_who, exit, command, stderr) => {
    const error = ended({ exit, command, stderr, isUp: true });
    expect(error.message).toBe('The server was ended by SIGKILL; perhaps the system ran out of memory.');
    expect(error.data).toMatchObject({ signal: 'SIGKILL' });
    expect(error.data).not.toHaveProperty('cause');
  });

  it.each([
    [143, 'SIGTERM'],
    [130, 'SIGINT'],
    [139, 'SIGSEGV'],
    [134, 'SIGABRT'],
  ])('stands behind the exit code %i of a wrapper: %s', (exitCode, signal) => {
    const error = ended({ exit: { exitCode }, command: 'npx -y some-server', isUp: true });
    expect(error.message).toBe(`The server was ended by ${signal}.`);
    expect(error.data).toMatchObject({ exitCode, signal });
  });

  it('of the program itself leaves the cause that it wrote in the first place', () => {
    const stderr = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n';
    expect(ended({ exit: { exitCode: 134 }, command: 'npx -y x', stderr, isUp: true }).message).toBe(
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory (was ended by SIGABRT)',
    );
  });

  it('is not read into the exit code of a program that is no wrapper, nor into one that is no signal', () => {
    expect(ended({ exit: { exitCode: 137 }, command: 'my-server' }).message).toContain(
      'exited with code 137',
    );
    expect(ended({ exit: { exitCode: 127 }, command: 'sh -c x' }).message).toContain('exited with code 127');
    expect(ended({ exit: { exitCode: 250 }, command: 'sh -c x' }).message).toContain('exited with code 250');
  });
});

describe('a runner of packages that fails without a word', () => {
  const silent = 'npm warn deprecated node-domexception@1.0.0: Use your platform\nnpm notice\n';

  it.each([
    ['npx -y @azure-devops/mcp contoso', 'npx could not install @azure-devops/mcp'],
    ['npm exec -- puppeteer-mcp', 'npm exec could not install puppeteer-mcp'],
    ['cmd /c npx -y desktop-commander@latest', 'npx could not install desktop-commander'],
  ])('%s: names the log that npm keeps', (command, begins) => {
    for (const stderr of ['', silent]) {
      const error = ended({ command, stderr });
      expect(error.message).toBe(`${begins}, or it ended immediately, without output (exited with code 1)`);
      expect(error.remedy).toBe('See the newest file in ~/.npm/_logs.');
      expect(error.data).toMatchObject({ fix: { kind: 'read-log', folder: '~/.npm/_logs' } });
    }
  });

  it.each<[Record<string, string>, string]>([
    [{ npm_config_cache: '/var/cache/npm' }, '/var/cache/npm/_logs'],
    [{ NPM_CONFIG_CACHE: '/var/cache/npm/' }, '/var/cache/npm/_logs'],
    [{ npm_config_logs_dir: '/var/log/npm' }, '/var/log/npm'],
    [
      { LOCALAPPDATA: String.raw`C:\Users\ada\AppData\Local` },
      String.raw`C:\Users\ada\AppData\Local\npm-cache\_logs`,
    ],
  ])('of the environment %j keeps it in %s', (environment, folder) => {
    expect(ended({ command: 'npx -y x', environment }).remedy).toBe(`See the newest file in ${folder}.`);
  });

  it('which is not npm has no such log', () => {
    const error = ended({ command: 'bunx some-server' });
    expect(error.message).toBe(
      'bunx could not install some-server, or it ended immediately, without output (exited with code 1)',
    );
    expect(error.remedy).toBe('Run its command in a terminal to see why, or install some-server by hand.');
  });

  it('has installed what was up already', () => {
    expect(ended({ command: 'npx -y x', isUp: true }).message).toBe('The server exited with code 1.');
    expect(ended({ command: 'npx -y x', exit: { exitCode: 0 } }).message).toContain('exited with code 0');
  });
});

describe('the exit code of a wrapper on Windows', () => {
  it.each([
    [129, 'SIGHUP'],
    [134, 'SIGABRT'],
    [135, 'SIGBUS'],
    [137, 'SIGKILL'],
    [143, 'SIGTERM'],
  ])('%i tells the signal of a container or of a shell of POSIX: %s', (exitCode, signal) => {
    expect(signalOf({ exitCode }, 'docker', ['run', 'x'], 'win32')).toBe(signal);
  });

  it.each([128, 150, 149, 255])(
    '%i tells no signal, whatever number Node gives its own on Windows',
    (exitCode) => {
      expect(signalOf({ exitCode }, 'docker', ['run', 'x'], 'win32')).toBeUndefined();
    },
  );
});
