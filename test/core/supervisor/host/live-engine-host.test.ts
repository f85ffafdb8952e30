import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { LastEngines } from '../../../../electron/core/platform/containers/engine-link.ts';
import { signallerForPlatform } from '../../../../electron/core/platform/signals.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { spawnChild } from '../../../../electron/core/platform/spawner.ts';
import type { Clock } from '../../../../electron/core/clock.ts';
import { EngineRecords } from '../../../../electron/core/supervisor/custody/engine-record.ts';
import { EngineHost } from '../../../../electron/core/supervisor/host/engine-host.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeEngine, type FakeContainer, type FakePull } from '../../../fixtures/engine/fake-engine.ts';
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
  readonly signal?: AbortSignal;
}

async function open(clock: Clock = systemClock) {
  const engine = new FakeEngine();
  await engine.listen();
  const home = mkdtempSync(join(tmpdir(), 'engine-host-'));
  onTestFinished(() => {
    engine.close();
    rmSync(home, { recursive: true, force: true });
  });
  engine.onInput = (container, line) => engine.say(container, 'stdout', `answer to ${line}\n`);
  const told: string[] = [];
  const pulling: (string | undefined)[] = [];
  const lastEngines = new LastEngines();
  /** A panel of the same home folder. */
  const openHost = () => {
    const host = new EngineHost({
      clock,
      lastEngines,
      records: new EngineRecords(join(home, 'engines')),
      home,
      spawner: spawnChild,
      signaller: signallerForPlatform(process.platform),
      userHome: home,
      environment: () => ({ HOME: home }),
      onLost: () => told.push('lost'),
      onBack: () => told.push('back'),
      onAdopted: (server, _, __, { calls = [] }) => {
        told.push(
          [`adopted ${server}`, ...calls.map(({ target, client }) => `${target} of ${client}`)].join(', '),
        );
      },
      notice: (line) => told.push(line),
    });
    onTestFinished(() => host.close());
    return host;
  };
  const start = async (
    host: EngineHost,
    options = '--rm',
    { server = 'box', image = 'image', place = { host: `unix://${engine.path}` }, signal }: Start = {},
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
        signal,
      },
      onPulling: (words) => pulling.push(words),
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
  return { engine, home, lastEngines, pulling, told, openHost, start, records, only };
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

  const momentMs = fc.integer({ min: 0, max: 70_000 });
  const callsOfCut = fc.record({
    cutAtMs: momentMs,
    calls: fc.array(fc.record({ sentAtMs: momentMs, tookMs: momentMs }), { minLength: 1, maxLength: 12 }),
  });

  it('loses no answer in a cut of a minute, brings none twice, and touches nothing of others', async () => {
    await fc.assert(
      fc.asyncProperty(callsOfCut, async ({ cutAtMs, calls }) => {
        const clock = createFakeClock();
        const { engine, told, openHost, start } = await open(clock);
        const others = await start(openHost(), '--name other', { server: 'other' });
        const host = openHost();
        const starting = start(host);
        const { run, heard } = await starting;
        const arrived: string[] = [];
        engine.onInput = (container, line) => {
          if (!/^call \d+$/.test(line)) return;
          arrived.push(line);
          const { tookMs = 0 } = calls[Number(line.slice(5))] ?? {};
          clock.setTimeout(() => engine.say(container, 'stdout', `answer to ${line}\n`), tookMs);
        };
        calls.forEach(({ sentAtMs }, at) =>
          clock.setTimeout(() => void run.stdin.write(`call ${at}\n`), sentAtMs),
        );
        clock.setTimeout(() => {
          engine.isDown = true;
          engine.cut();
        }, cutAtMs);
        clock.setTimeout(() => (engine.isDown = false), cutAtMs + 60_000);
        for (let step = 0; step < 1000; step += 1) {
          await clock.advance(250);
          // Sockets are real: they get a moment for each quarter of a second.
          await sleep(0);
        }
        const answers = heard.stdout.split('\n').filter((line) => /^answer to call/.test(line));
        expect(answers.toSorted()).toEqual(arrived.map((line) => `answer to ${line}`).toSorted());
        expect(new Set(arrived).size).toBe(arrived.length);
        // Only what was written into the cut itself may be missing.
        const lateBy = ({ sentAtMs }: (typeof calls)[number]) => Math.abs(sentAtMs - cutAtMs);
        const missing = calls.filter((_, at) => !arrived.includes(`call ${at}`));
        expect(missing.every((call) => lateBy(call) <= 500)).toBe(true);
        expect(told.filter((line) => line === 'lost').length).toBeLessThanOrEqual(2);
        const ended = run.end(GRACES);
        for (let step = 0; step < 40; step += 1) {
          await clock.advance(250);
          await sleep(0);
        }
        await ended;
        expect([...engine.containers.values()].map(({ name }) => name)).toEqual(['other']);
        void others;
      }),
      { numRuns: 5 },
    );
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

  it('tells the calls of the earlier panel by name once it is adopted', async () => {
    const { home, told, openHost, start } = await open();
    const first = openHost();
    const { run } = await start(first);
    const call = { method: 'tools/call', target: 'build', by: 'client', client: 'cursor' };
    for (const calls of [[call], [call, { ...call, target: 'test' }]]) run.rememberCalls?.(calls, 3);
    await until(
      () => Promise.resolve(readFileSync(join(home, 'engines/marker1.json'), 'utf8').includes('"test"')),
      LIMIT_MS,
    );
    await first.close();
    const again = await start(openHost());
    expect(told).toEqual(['adopted box, build of cursor, test of cursor']);
    // They are told once.
    again.run.rememberCalls?.([], 1);
    expect(readFileSync(join(home, 'engines/marker1.json'), 'utf8')).not.toContain('build');
    await again.run.end(GRACES);
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

  it('has its image pulled with the sign-in of the person, and tells layers and megabytes', async () => {
    const { engine, home, pulling, openHost, start } = await open();
    mkdirSync(join(home, '.docker'));
    const auth = Buffer.from('me:pass:word').toString('base64');
    writeFileSync(join(home, '.docker/config.json'), JSON.stringify({ auths: { 'ghcr.io': { auth } } }));
    const asked: unknown[] = [];
    engine.missing.add('ghcr.io/me/box:2');
    const pull = async ({ query, auth: sent, response }: FakePull) => {
      asked.push([...query], sent);
      const report = (line: object) => void response.write(`${JSON.stringify(line)}\n`);
      for (const id of ['a', 'b', 'c']) report({ id, status: 'Pulling fs layer' });
      report({ id: 'a', status: 'Pull complete' });
      report({ id: 'b', status: 'Downloading', progressDetail: { current: 7_200_000, total: 9e6 } });
      // Nothing more is reported before this is told.
      await until(() => Promise.resolve(pulling.length > 1), LIMIT_MS);
      engine.missing.clear();
      response.end();
    };
    engine.onPull = (asking) => void pull(asking);
    const { run } = await start(openHost(), '--rm', { image: 'ghcr.io/me/box:2' });
    const words = 'pulling ghcr.io/me/box:2';
    expect(pulling.slice(0, 2)).toEqual([words, `${words}: layer 2 of 3, 7 MB`]);
    expect(pulling.at(-1)).toBeUndefined();
    expect(asked).toEqual([
      [
        ['fromImage', 'ghcr.io/me/box'],
        ['tag', '2'],
      ],
      { username: 'me', password: 'pass:word', serveraddress: 'ghcr.io' },
    ]);
    await run.end(GRACES);
  });

  it('names the cause of a pull that fails in its midst', async () => {
    const { engine, openHost, start, records } = await open();
    engine.onPull = ({ response }) => {
      response.write(
        '{"id":"a","status":"Pulling fs layer"}\n{"errorDetail":{},"error":"no space left on device"}\n',
      );
      response.end();
    };
    await expect(start(openHost(), '--rm', { image: 'missing' })).rejects.toMatchObject({
      code: 'START_FAILED',
      message: expect.stringMatching(/image missing is not on unix:.*: no space left on device/) as unknown,
      data: { fix: { kind: 'check-image' } },
    });
    expect([engine.containers.size, records()]).toEqual([0, []]);
  });

  it('cancels a pull with its start', async () => {
    const { engine, openHost, start, records } = await open();
    const stop = new AbortController();
    const closed = new Promise<void>((resolve) => {
      engine.onPull = ({ response }) => {
        response.once('close', resolve);
        response.write('{"id":"a","status":"Pulling fs layer"}\n');
        stop.abort(new Error('stopped'));
      };
    });
    const started = start(openHost(), '--rm', { image: 'missing', signal: stop.signal });
    await expect(started).rejects.toMatchObject({ message: expect.stringContaining('stopped') as unknown });
    await closed;
    expect([engine.containers.size, records()]).toEqual([0, ['marker1.json']]);
  });

  it.each([
    [
      'an image that is not there',
      '--rm',
      'missing',
      'START_FAILED',
      'could not be pulled: manifest unknown',
    ],
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
