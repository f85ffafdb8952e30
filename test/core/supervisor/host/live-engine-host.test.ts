import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { LastEngines } from '../../../../electron/core/platform/containers/last-engines.ts';
import { signallerForPlatform } from '../../../../electron/core/platform/signals.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { spawnChild } from '../../../../electron/core/platform/spawner.ts';
import { EngineRecords } from '../../../../electron/core/supervisor/custody/engine-record.ts';
import { EngineHost } from '../../../../electron/core/supervisor/host/engine-host.ts';
import { FakeEngine, type FakeContainer } from '../../../fixtures/engine/fake-engine.ts';
import { skipOn } from '../../../support/skip-on.ts';
import { offerByTls } from '../../../support/tls-front.ts';
import { until } from '../../../support/container-scenarios.ts';

const LIMIT_MS = 30_000;
const GRACES = { stopGraceMs: 300, killGraceMs: 300 };
let marker = 0;
interface Start {
  readonly server?: string;
  readonly image?: string;
  readonly place?: { readonly host: string } | { readonly context: string };
}

async function open() {
  const engine = new FakeEngine();
  await engine.listen();
  const home = mkdtempSync(join(tmpdir(), 'engine-host-'));
  onTestFinished(() => {
    engine.close();
    rmSync(home, { recursive: true, force: true });
  });
  engine.onInput = (container, line) => engine.say(container, 'stdout', `answer to ${line}\n`);
  const told: string[] = [];
  const lastEngines = new LastEngines();
  /** A panel of the same home folder. */
  const openHost = () => {
    const host = new EngineHost({
      clock: systemClock,
      lastEngines,
      records: new EngineRecords(join(home, 'engines')),
      home,
      spawner: spawnChild,
      signaller: signallerForPlatform(process.platform),
      userHome: home,
      environment: () => ({ HOME: home }),
      onLost: () => told.push('lost'),
      onBack: () => told.push('back'),
      onAdopted: (server) => told.push(`adopted ${server}`),
      notice: (line) => told.push(line),
    });
    onTestFinished(() => host.close());
    return host;
  };
  const start = async (
    host: EngineHost,
    options = '--rm',
    { server = 'box', image = 'image', place = { host: `unix://${engine.path}` } }: Start = {},
  ) => {
    marker += 1;
    const run = await host.start({
      server,
      request: {
        command: 'docker',
        args: ['run', '-i', ...options.split(' '), image],
        env: {},
        cwd: home,
        runOn: { engine: 'docker', ...place },
      },
      marker: `marker${marker}`,
      onHost: () => undefined,
    });
    const heard = { stdout: '', stderr: '' };
    run.readStdout({ onPart: (part) => void (heard.stdout += String(part)) });
    run.readStderr({ onPart: (part) => void (heard.stderr += String(part)) });
    const hears = (text: string) => until(() => Promise.resolve(heard.stdout.includes(text)), LIMIT_MS);
    return { run, heard, hears };
  };
  const records = () => readdirSync(join(home, 'engines'));
  const only = (): FakeContainer => {
    expect(engine.containers.size).toBe(1);
    return [...engine.containers.values()][0]!;
  };
  return { engine, home, lastEngines, told, openHost, start, records, only };
}

const options = {
  timeout: 2 * LIMIT_MS,
  ...skipOn('win32', 'the engine of the tests listens on a socket among files'),
};

describe('a run in a container of another engine', options, () => {
  afterEach(() => void (marker = 0));

  it('is created, attached before its start, and removed with its record when it is ended', async () => {
    const { engine, home, openHost, start, records, only } = await open();
    const { run, heard, hears } = await start(openHost());
    run.stdin.write('one\n');
    await hears('answer to one\n');
    expect(only().body.Labels).toMatchObject({
      'mcp-control-panel.run': 'marker1',
      'mcp-control-panel.server': 'box',
      'mcp-control-panel.home': expect.not.stringContaining(home) as unknown,
    });
    expect(records()).toEqual(['marker1.json']);
    const order = engine.asked.filter((line) => /POST/.test(line)).map((line) => line.split('/').at(-1));
    expect(order).toEqual(['create', 'attach', 'start']);
    expect(run.host).toEqual({ kind: 'container', engine: `unix://${engine.path}`, id: only().id });
    const report = await run.end(GRACES);
    expect(report).toEqual({
      exit: { exitCode: 143 },
      forceKilledPids: [],
      leftPids: [],
      leftContainer: undefined,
    });
    expect([engine.containers.size, records()]).toEqual([0, []]);
    expect(heard.stdout).toBe('answer to one\n');
  });

  it('lets the next start of its server wait for an engine that was lost, until it is back', async () => {
    const { engine, lastEngines, openHost, start, told } = await open();
    await start(openHost());
    const { signal } = new AbortController();
    expect(lastEngines.returnOf('box', signal)).toBeUndefined();
    engine.isDown = true;
    engine.cut();
    await until(() => Promise.resolve(told.includes('lost')), LIMIT_MS);
    let isBack = false;
    void lastEngines.returnOf('box', signal)?.then(() => (isBack = true));
    expect([lastEngines.returnOf('another', signal), isBack]).toEqual([undefined, false]);
    engine.isDown = false;
    await until(() => Promise.resolve(isBack), LIMIT_MS);
    expect(told).toEqual(['lost', 'back']);
  });

  it('hears what was said while the connection was cut, and nothing twice, over many cuts', async () => {
    const { engine, openHost, start, only } = await open();
    const { run, heard, hears } = await start(openHost());
    let all = '';
    for (let round = 0; round < 8; round += 1) {
      const container = only();
      const words = [
        `line ${round}\n`,
        'the same\n',
        `a long line in two ${'x'.repeat(40)}`,
        `ends ${round}\n`,
      ];
      engine.say(container, 'stdout', words[0]!);
      engine.say(container, 'stderr', `word ${round}\n`);
      if (round % 2 === 0) engine.cut();
      engine.say(container, 'stdout', words[1]!);
      engine.say(container, 'stdout', words[2]!);
      if (round % 2 === 1) engine.cut();
      engine.say(container, 'stdout', words[3]!);
      all += words.join('');
      await hears(`ends ${round}\n`);
    }
    expect(heard).toEqual({
      stdout: all,
      stderr: [0, 1, 2, 3, 4, 5, 6, 7].map((at) => `word ${at}\n`).join(''),
    });
    await run.end(GRACES);
  });

  it('sends what was written while the connection was cut, once, and ends a line that may have been cut', async () => {
    const { engine, told, openHost, start } = await open();
    const { run, heard, hears } = await start(openHost());
    run.stdin.write('one\n');
    await hears('answer to one');
    engine.isDown = true;
    engine.cut();
    await until(() => Promise.resolve(told.includes('lost')), LIMIT_MS);
    run.stdin.write('two\n');
    run.stdin.write('three\n');
    engine.isDown = false;
    await hears('answer to three');
    const answers = heard.stdout.split('\n').filter((line) => line !== 'answer to ');
    expect(answers).toEqual(['answer to one', 'answer to two', 'answer to three', '']);
    await run.end(GRACES);
  });

  it('tells the exit code and the last words of one that ended while the connection was cut', async () => {
    const { engine, openHost, start, only } = await open();
    const { run, heard } = await start(openHost());
    const container = only();
    engine.isDown = true;
    engine.cut();
    engine.say(container, 'stderr', 'last words\n');
    engine.exit(container, 3);
    engine.isDown = false;
    expect(await run.drained).toEqual({ exitCode: 3 });
    expect(heard.stderr).toBe('last words\n');
    await run.end(GRACES);
    expect(engine.containers.size).toBe(0);
  });

  it('was ended by force where somebody has removed its container', async () => {
    const { engine, openHost, start, only } = await open();
    const { run } = await start(openHost());
    await until(() => Promise.resolve(engine.asked.some((line) => line.endsWith('/json'))), LIMIT_MS);
    const container = only();
    engine.containers.delete(container.id);
    engine.exit(container, 137);
    expect(await run.drained).toEqual({ signal: 'SIGKILL' });
    await run.end(GRACES);
  });

  it('tells the loss of an engine once, however many servers run on it, and their return', async () => {
    const { engine, told, openHost, start } = await open();
    const host = openHost();
    const runs = [];
    for (const server of ['a', 'b', 'c']) runs.push(await start(host, '--rm', { server }));
    await until(() => Promise.resolve(engine.asked.includes('GET /events')), LIMIT_MS);
    engine.isDown = true;
    engine.cut();
    await until(() => Promise.resolve(told.length > 0), LIMIT_MS);
    engine.isDown = false;
    await until(() => Promise.resolve(told.length > 1), LIMIT_MS);
    for (const { run, hears } of runs) {
      run.stdin.write('again\n');
      await hears('answer to again');
      await run.end(GRACES);
    }
    expect(told).toEqual(['lost', 'back']);
  });

  it('is adopted by the next panel, whose requests have other ids', async () => {
    const { engine, told, openHost, start, records, only } = await open();
    const first = openHost();
    await start(first);
    const { id } = only();
    // As if it had been killed.
    await first.close();
    engine.cut();
    engine.say(only(), 'stdout', 'answer to a call of the first panel\n');
    const { run, hears } = await start(openHost());
    run.stdin.write('two\n');
    await hears('answer to two');
    expect([only().id, told, records()]).toEqual([id, ['adopted box'], ['marker1.json']]);
    expect(run.firstRequestId).toBe(1e9);
    await run.end(GRACES);
    expect([engine.containers.size, records()]).toEqual([0, []]);
  });

  it('is removed, not adopted, when the command has changed, or when its server is not to run', async () => {
    const { told, openHost, start, records, only } = await open();
    const first = openHost();
    await start(first, '--rm --name box');
    await first.close();
    const second = openHost();
    await start(second, '--rm --name box -e A=1');
    expect([only().name, records()]).toEqual(['box', ['marker2.json']]);
    await second.close();
    await openHost().reap((server) => server !== 'box');
    expect([told, records()]).toEqual([[], []]);
  });

  it('leaves the record where the engine is out of reach at its end, and the next start removes the container', async () => {
    const { engine, openHost, start, only } = await open();
    const host = openHost();
    const { run } = await start(host);
    const { id } = only();
    engine.isDown = true;
    engine.cut();
    const { leftContainer } = await run.end(GRACES);
    expect(leftContainer).toContain('could not be removed');
    engine.isDown = false;
    const next = await start(host);
    expect(only().id).not.toBe(id);
    await next.run.end(GRACES);
    expect(engine.containers.size).toBe(0);
  });

  it.each([
    ['an image that is not there', '--rm', 'missing', 'START_FAILED', 'No such image: missing:latest'],
    ['a name that is in use', '--name taken', 'image', 'START_FAILED', '"/taken" is already in use'],
    ['an option that is not passed on', '--gpus all', 'image', 'CONFIG_INVALID', '--gpus'],
  ])('is refused for %s', async (_, options, image, code, message) => {
    const { engine, openHost, start, records } = await open();
    const host = openHost();
    const other = await start(host, '--name taken', { server: 'other' });
    await expect(start(host, options, { image })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as unknown,
    });
    expect([engine.containers.size, records()]).toEqual([1, ['marker1.json']]);
    await other.run.end(GRACES);
  });

  it('is reached over TCP with the certificates of a context', async () => {
    const { engine, home, openHost, start } = await open();
    await offerByTls(engine.path, join(home, '.docker'), 'far');
    const { run, hears } = await start(openHost(), '--rm', { place: { context: 'far' } });
    run.stdin.write('one\n');
    await hears('answer to one');
    expect(run.host.engine).toBe('far');
    engine.cut();
    run.stdin.write('two\n');
    await until(
      () => Promise.resolve(engine.asked.filter((line) => line.endsWith('/logs')).length > 0),
      LIMIT_MS,
    );
    run.stdin.write('three\n');
    await hears('answer to three');
    await run.end(GRACES);
    expect(engine.containers.size).toBe(0);
  });

  it('says that an engine is not reached', async () => {
    const { engine, openHost, start } = await open();
    engine.isDown = true;
    await expect(start(openHost())).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });
});
