import { once } from 'node:events';
import { request } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { createEngineAgents } from '../../../../electron/core/platform/elsewhere/engine-address.ts';
import { ProgramSocket } from '../../../../electron/core/platform/elsewhere/ssh-tunnel.ts';
import { signallerForPlatform } from '../../../../electron/core/platform/signals.ts';
import {
  spawnChild,
  type ExitStatus,
  type SpawnedChild,
} from '../../../../electron/core/platform/spawner.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { skipOn } from '../../../support/skip-on.ts';

const signaller = signallerForPlatform(process.platform);
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
