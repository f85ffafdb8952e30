import { once } from 'node:events';
import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { EngineApi } from '../../../../electron/core/platform/containers/engine-api.ts';
import { createEngineAgents } from '../../../../electron/core/platform/elsewhere/engine-address.ts';
import { ProgramSocket } from '../../../../electron/core/platform/elsewhere/ssh-tunnel.ts';
import { signallerForPlatform } from '../../../../electron/core/platform/signals.ts';
import {
  spawnChild,
  type ExitStatus,
  type SpawnedChild,
} from '../../../../electron/core/platform/spawner.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { FakeEngine } from '../../../fixtures/engine/fake-engine.ts';
import { skipOn } from '../../../support/skip-on.ts';

/** Stands for `ssh`: forwards a socket, and is the docker client of the other machine. Environment: ENGINE, SAYS, FORWARDS. */
const SSH = `
const net = require('node:net');
const [local] = (process.argv[process.argv.indexOf('-L') + 1] ?? '').split(':');
const { ENGINE, SAYS, FORWARDS } = process.env;
if (process.argv.at(-1) === 'dial-stdio') {
  const engine = net.connect(ENGINE);
  process.stdin.pipe(engine).pipe(process.stdout);
} else if (SAYS.startsWith('exit ')) {
  process.stderr.write('Permission denied (publickey).\\n');
  process.exit(Number(SAYS.slice(5)));
} else {
  const target = process.argv[process.argv.indexOf('-L') + 1].split(':')[1];
  net.createServer((near) => {
    near.on('error', () => undefined);
    if (FORWARDS === 'no' || target !== SAYS.slice(7)) return void near.destroy();
    const far = net.connect(ENGINE);
    far.on('error', () => undefined);
    near.pipe(far).pipe(near);
  }).listen(local, () => console.log(SAYS));
  process.stdin.resume().on('end', () => process.exit());
}`;
const WORDS = ['--', 'far', 'docker', 'system', 'dial-stdio'];
const signaller = signallerForPlatform(process.platform);

async function open(says: string, forwards = 'yes') {
  const engine = new FakeEngine();
  await engine.listen();
  const spawned: string[] = [];
  const spawnSsh = (words: readonly string[]) => {
    spawned.push(words.includes('-L') ? 'tunnel' : 'dial');
    const env = { ENGINE: engine.path, SAYS: says, FORWARDS: forwards };
    return spawnChild({ command: process.execPath, args: ['-e', SSH, 'ssh', ...words], env });
  };
  const agents = createEngineAgents(
    { kind: 'ssh', words: WORDS },
    { spawnSsh, signaller, clock: systemClock, isWindows: false },
  );
  const api = new EngineApi(agents, systemClock);
  onTestFinished(() => {
    api.cut();
    engine.close();
  });
  const ping = async () => (await api.ask('GET', '/_ping')).status;
  return { api, engine, ping, spawned };
}

describe('an engine behind ssh', skipOn('win32', 'sockets among files are forwarded'), () => {
  it('is reached by one program, however many connections there are, and by another after a cut', async () => {
    const { api, ping, spawned } = await open('unix:///var/run/docker.sock');
    const answers = await Promise.all([ping(), ping(), ping()]);
    const streams = await Promise.all([1, 2, 3].map(() => api.stream('/events')));
    expect([answers, streams.length, spawned]).toEqual([[200, 200, 200], 3, ['tunnel']]);
    api.cut();
    expect([await ping(), spawned]).toEqual([200, ['tunnel', 'tunnel']]);
  });

  it('is reached at the socket that the docker client there uses', async () => {
    const { ping, spawned } = await open('unix:///run/user/1000/docker.sock');
    expect([await ping(), await ping(), spawned]).toEqual([200, 200, ['tunnel', 'tunnel']]);
  });

  it.each([
    ['that forwards no sockets', 'unix:///var/run/docker.sock', 'no'],
    ['whose client uses none', 'tcp://127.0.0.1:2375', 'yes'],
    ['whose client does not tell', 'exit 127', 'yes'],
  ])('is reached by a program for each connection on a machine %s', async (_, says, forwards) => {
    const { api, ping, spawned } = await open(says, forwards);
    expect(await ping()).toBe(200);
    await api.stream('/events');
    expect(spawned).toEqual(['tunnel', 'dial', 'dial']);
  });

  it('is not reached, in the words of ssh', async () => {
    const { ping } = await open('exit 255');
    await expect(ping()).rejects.toThrow('ssh: Permission denied (publickey).');
  });
});

const socketOf = (script: string) =>
  new ProgramSocket(
    () => spawnChild({ command: 'sh', args: ['-c', script], env: { PATH: process.env['PATH'] ?? '' } }),
    signaller,
  );

describe('a connection through a program', skipOn('win32', 'the programs are lines of sh'), () => {
  it('carries both ways, also what was written before the program ran', async () => {
    const socket = socketOf('cat');
    socket.write('hello');
    const [part] = (await once(socket, 'data')) as [Buffer];
    expect(String(part)).toBe('hello');
    socket.destroy();
    await once(socket, 'close');
  });

  it('breaks with the last words of the program', async () => {
    const socket = socketOf('echo some; echo "Permission denied" >&2; exit 255');
    let heard = '';
    socket.on('data', (part: Buffer) => (heard += String(part)));
    const [error] = (await once(socket, 'error')) as [Error];
    expect([heard, error.message]).toEqual(['some\n', 'ssh: Permission denied']);
  });

  it('breaks where the program cannot be started', async () => {
    const socket = new ProgramSocket(() => Promise.reject(new Error('no ssh here')), signaller);
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toBe('no ssh here');
  });

  it('ends the program with its children', async () => {
    let child: SpawnedChild | undefined;
    const socket = new ProgramSocket(async () => {
      child = await spawnChild({
        command: 'sh',
        args: ['-c', 'echo up; sleep 600; true'],
        env: { PATH: process.env['PATH'] ?? '' },
      });
      return child;
    }, signaller);
    await once(socket, 'data');
    socket.destroy();
    await once(socket, 'close');
    expect(await child?.exited).toEqual({ signal: 'SIGKILL' });
  });
});

describe('connections to an engine by ssh', () => {
  it('are few, and three at once are made at most', async () => {
    const started: (() => void)[] = [];
    const spawnSsh = (): Promise<SpawnedChild> => {
      const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
      const exited = createDeferred<ExitStatus>().promise;
      started.push(() => void stdout.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
      return Promise.resolve({ pid: 2 ** 30, stdin, stdout, stderr, exited });
    };
    const agents = createEngineAgents(
      { kind: 'ssh', words: [] },
      {
        ...{ spawnSsh, clock: systemClock, isWindows: true },
        signaller: { ...signaller, signalGroup: () => Promise.resolve(true) },
      },
    );
    const turns = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    let answers = 0;
    for (let call = 0; call < 10; call += 1)
      request({ agent: agents.calls, path: '/' }, (response) => {
        answers += 1;
        response.resume();
      }).end();
    const streams = Array.from({ length: 5 }, () => request({ agent: agents.streams, path: '/' }));
    for (const stream of streams) stream.on('error', () => undefined).end();
    await turns();
    expect(started.length).toBe(3);
    // Each answer makes room for another connection; those of short questions are used again.
    for (let turn = 0; turn < 40; turn += 1) {
      for (const speak of started) speak();
      await turns();
    }
    expect(answers).toBe(10);
    expect(started.length).toBe(4 + streams.length);
    agents.calls.destroy();
    agents.streams.destroy();
  });
});
