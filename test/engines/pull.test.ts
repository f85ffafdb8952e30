import { randomBytes } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../electron/core/platform/run-command.ts';
import { containerBench, watchServer } from '../support/container-scenarios.ts';
import { openRegistryFront } from '../support/registry-front.ts';
import { clientOf, engineOf, engines, IMAGE, makeImage } from './engine-image.ts';
import { sharedFolder } from '../support/temp-folder.ts';

/** Address of a registry of images that takes what is pushed, `127.0.0.1:PORT`. Without it, nothing is pulled. */
const registry = process.env['MCP_CONTROL_PANEL_REGISTRY'] ?? '';
const REPOSITORY = 'mcp-control-panel-pull';
const LAYER_BYTES = 8 * 1024 * 1024;
const STEPS = 60_000;
const LIMIT = { timeout: 10 * STEPS };

/** The engine of docker once more, reached as one elsewhere. */
const ELSEWHERE = 'an engine elsewhere';
const pullers = engines.flatMap((name) => (name === 'docker' ? [name, ELSEWHERE] : [name]));
const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock';

describe.skipIf(registry === '').each(pullers)('an image that %s pulls from a registry', (name) => {
  const command = clientOf(name === ELSEWHERE ? 'docker' : name);
  // docker takes plain HTTP from the loopback by itself.
  const plainHttp = name === 'podman' ? ['--tls-verify=false'] : [];
  const ask = (...args: readonly string[]) =>
    runCommand(command, args, { env: process.env, timeoutMs: STEPS });

  const folder = sharedFolder('image-layer-');

  /** Pushes an image with a layer that no engine has. */
  beforeAll(async () => {
    await makeImage(command);
    const pushed = `${registry}/${REPOSITORY}:1`;
    writeFileSync(join(folder, 'layer'), randomBytes(LAYER_BYTES));
    const id = (await ask('create', IMAGE, 'none')).trim();
    await ask('cp', join(folder, 'layer'), `${id}:/layer`);
    await ask('commit', id, pushed);
    await ask('rm', id);
    await ask('push', ...plainHttp, pushed);
    await ask('rmi', pushed);
  }, 4 * STEPS);

  const benchOf = (...image: string[]) => containerBench(engineOf(command, STEPS, image));

  async function open(repository = REPOSITORY) {
    const front = await openRegistryFront(registry);
    const image = `${front.address}/${repository}:1`;
    const { holdAnothers, listed } = benchOf(IMAGE);
    const anothers = await holdAnothers();
    onTestFinished(async () => void (await ask('rmi', '-f', image).catch(() => '')), STEPS);
    const { home, panel } = await benchOf(...plainHttp, image).openPanel({
      box: name === ELSEWHERE ? { panel: { runOn: { engine: 'docker', host } } } : {},
    });
    const { call, view: box, shows } = watchServer(panel, 'box', STEPS);
    const start = () => {
      const started = panel.servers.start('box');
      started.catch(() => undefined);
      return started;
    };
    const isHeld = () =>
      front.held > 0 && box().state.reason?.startsWith(`pulling ${image}: layer `) === true;
    return { anothers, box, call, front, home, image, isHeld, listed, panel, shows, start };
  }

  it('is named with its layer while it comes, and comes though a connection is cut', LIMIT, async () => {
    const { anothers, box, call, front, image, isHeld, listed, panel, shows, start } = await open();
    const started = start();
    await shows(isHeld);
    if (name === 'podman') expect(box().state.reason).toBe(`pulling ${image}: layer 1 of 2`);
    // Only the API tells bytes.
    else {
      await shows(() => box().state.reason?.endsWith(' MB') === true);
      expect(box().state.reason).toMatch(/: layer 2 of 2, [1-9]\d* MB$/);
    }
    process.stdout.write(`${name}: ${box().state.reason}\n`);
    front.cut();
    // podman gives up a layer that breaks off: then the panel has it start again.
    if (name === 'podman') await expect(started).rejects.toThrow(image);
    else await started;
    await shows(() => box().state.kind === 'running');
    expect(box().state.reason).toBeUndefined();
    expect(JSON.stringify(await call('echo', { text: 'hello' }))).toContain('hello');
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });

  it('is given up by a stop in its midst, which leaves nothing', LIMIT, async () => {
    const { anothers, box, front, home, image, isHeld, listed, panel, shows, start } = await open();
    const started = start();
    await shows(isHeld);
    const at = performance.now();
    await panel.servers.stop('box');
    process.stdout.write(
      `${name}: stopped in the midst of a pull in ${Math.round(performance.now() - at)} ms\n`,
    );
    await expect(started).rejects.toThrow();
    expect(box().state).toMatchObject({ kind: 'stopped' });
    expect(box().state.reason).toBeUndefined();
    // An engine that has given up a pull notices what comes of it, and takes no more.
    front.release();
    await shows(() => front.held === 0);
    expect(await listed()).toEqual(anothers);
    expect(await ask('images', '--quiet', image)).toBe('');
    const records = name === ELSEWHERE ? 'engines' : 'containers';
    expect(readdirSync(join(home, records))).toEqual([]);
  });

  it('is named by the failure of its start where the registry goes away in its midst', LIMIT, async () => {
    const { anothers, front, image, isHeld, listed, panel, shows, start } = await open();
    const started = start();
    await shows(isHeld);
    const at = performance.now();
    front.end();
    await expect(started).rejects.toEqual(unpulled(image));
    process.stdout.write(
      `${name}: gave up after ${Math.round(performance.now() - at)} ms without a registry\n`,
    );
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });

  it('is named by the failure of its start where the registry does not know it', LIMIT, async () => {
    const { anothers, image, listed, panel, start } = await open(`${REPOSITORY}-of-nobody`);
    await expect(start()).rejects.toEqual(unpulled(image));
    await panel.servers.stop('box');
    expect(await listed()).toEqual(anothers);
  });
});

/** What is told of an image that could not be pulled. */
const unpulled = (image: string) =>
  expect.objectContaining({
    message: expect.stringContaining(`he image ${image} is not `) as unknown,
  }) as Error;
