import { describe, expect, it, onTestFinished } from 'vitest';
import { EngineApi } from '../../../../electron/core/platform/containers/engine-api.ts';
import { createEngineAgents } from '../../../../electron/core/platform/elsewhere/engine-address.ts';
import { signallerForPlatform } from '../../../../electron/core/platform/signals.ts';
import { spawnChild } from '../../../../electron/core/platform/spawner.ts';
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

async function open(says: string, forwards = 'yes') {
  const engine = new FakeEngine();
  await engine.listen();
  const spawned: string[] = [];
  const spawnSsh = (words: readonly string[]) => {
    spawned.push(words.includes('-L') ? 'tunnel' : 'dial');
    const env = { ENGINE: engine.path, SAYS: says, FORWARDS: forwards };
    return spawnChild({ command: process.execPath, args: ['-e', SSH, 'ssh', ...words], env });
  };
  const signaller = signallerForPlatform(process.platform);
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
