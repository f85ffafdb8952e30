import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SpawnRequest } from '../../../../electron/core/platform/spawner.ts';
import {
  ContainerCustody,
  type ContainerClaim,
} from '../../../../electron/core/supervisor/custody/container-custody.ts';
import { homeLabelOf } from '../../../../electron/core/platform/containers/engine-labels.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { containerId, FakeEngine } from './fake-engine.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const OURS = containerId(1);
const ANOTHERS = containerId(2);

let folder = '';
let engine = new FakeEngine();
let clock = createFakeClock();
let tokens = 0;
const HOME_LABEL = homeLabelOf('/home');

beforeEach(() => {
  folder = tempFolder('container-custody-');
  engine = new FakeEngine();
  clock = createFakeClock();
  tokens = 0;
  engine.add({ id: ANOTHERS, label: 'mcp-control-panel.run=another' });
});

const panel = () =>
  new ContainerCustody({
    folder,
    clock,
    run: engine.run,
    createToken: () => `t${(tokens += 1)}`,
    parentEnvironment: { PATH: '/now' },
    openFigures: () => Promise.resolve(undefined),
    home: '/home',
    engines: { linkTo: () => Promise.resolve(undefined), close: () => undefined },
  });
const requestOf = (line: string, changes: Partial<SpawnRequest> = {}): SpawnRequest => {
  const [command = '', ...args] = line.split(' ');
  return { command, args, env: {}, ...changes };
};
async function claimed(line: string, changes?: Partial<SpawnRequest>, custody = panel()) {
  const claim = await custody.claim('box', requestOf(line, changes));
  if (claim === undefined) throw new Error(`${line} starts no container of ours`);
  return claim;
}
const idFileOf = ({ request }: ContainerClaim) => request.args[request.args.indexOf('--cidfile') + 1] ?? '';
const started = (claim: ContainerClaim, id = OURS) => {
  writeFileSync(idFileOf(claim), id);
  engine.add({ id, label: request(claim).label });
};
const request = (claim: ContainerClaim) => ({
  label: claim.request.args[claim.request.args.indexOf('--label') + 1] ?? '',
});
const left = () => readdirSync(folder, { recursive: true });
/** Settles `promise` while time passes. */
async function passing<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  void promise.finally(() => (isSettled = true)).catch(() => undefined);
  // Files are read in time of the machine's own, so nobody knows how often.
  while (!isSettled) {
    await new Promise(setImmediate);
    await clock.advance(500);
  }
  return promise;
}

describe('the container of a run', () => {
  it('is given a file for its id and a label, before the options of the line, and outlasts its end', async () => {
    const claim = await claimed('/x/docker -H tcp://far:1 run -i --rm -e A=1 image --cidfile z');
    expect(idFileOf(claim)).toBe(join(folder, 'box', 't1.cid'));
    expect(claim.request.args.join(' ').replace(idFileOf(claim), 'FILE')).toBe(
      `-H tcp://far:1 run --cidfile FILE --label mcp-control-panel.run=t1 --label ${HOME_LABEL} -i --rm -e A=1 --rm=false image --cidfile z`,
    );
    expect(claim.request.command).toBe('/x/docker');
  });

  it.each([
    'docker run -i --cidfile /mine image',
    'docker run -di image',
    'podman run --detach image',
    'docker exec -i box server',
    'docker compose run image',
    'node server.js',
  ])('is not ours to end: %s', async (line) => {
    expect(await panel().claim('box', requestOf(line))).toBeUndefined();
    expect(left()).toEqual([]);
  });

  it.each([
    ['docker run -i --rm image', {}, 'image'],
    ['docker run -i --platform linux/amd64 image', {}, undefined],
    ['docker run -i --pull=never image', {}, undefined],
    ['docker run -i image', { env: { PATH: '/x', DOCKER_CONTENT_TRUST: '1' } }, undefined],
  ])(
    'has its image pulled by the panel only where the client would pull the same: %s',
    async (line, changes, image) => {
      expect((await claimed(line, changes)).pulls).toBe(image);
    },
  );

  it('is none where the program is missing, and where the home folder takes no file', async () => {
    expect(await panel().claim('box', requestOf('docker run image', { found: { code: 'ENOENT' } }))).toBe(
      undefined,
    );
    writeFileSync(join(folder, 'box'), '');
    expect(await panel().claim('box', requestOf('docker run image'))).toBeUndefined();
  });

  it('is removed by its id and alone, through the client as the line has it', async () => {
    const changes = {
      found: { file: '/usr/bin/docker' },
      env: { DOCKER_HOST: 'x', MCP_CONTROL_PANEL_RUN: 'm' },
    };
    const claim = await claimed('docker --context far run -i --rm image', changes);
    started(claim);
    // Ids that begin alike are other containers.
    engine.add({ id: `${OURS}0` });
    expect(await claim.end()).toBeUndefined();
    expect([...engine.containers.keys()]).toEqual([ANOTHERS, `${OURS}0`]);
    expect(engine.calls).toEqual([
      `/usr/bin/docker --context far ps --all --quiet --no-trunc --filter id=${OURS}`,
      `/usr/bin/docker --context far rm --force --volumes ${OURS}`,
    ]);
    expect(engine.environments).toEqual([{ DOCKER_HOST: 'x' }, { DOCKER_HOST: 'x' }]);
    expect(left()).toEqual([]);
  });

  it('keeps its volumes where the line does not say --rm, and is killed first on podman', async () => {
    const claim = await claimed('podman run -i image');
    started(claim);
    await claim.end();
    expect(engine.calls.slice(1)).toEqual([`podman kill ${OURS}`, `podman rm --force ${OURS}`]);
  });

  it('is asked for once where it has gone by itself, and by whoever ends it first', async () => {
    const claim = await claimed('docker run -i --rm image');
    started(claim);
    engine.containers.delete(OURS);
    await Promise.all([claim.end(), claim.end()]);
    expect(engine.calls).toHaveLength(1);
    expect(left()).toEqual([]);
  });

  it('is removed again while the engine refuses, and told of where it never does', async () => {
    const claim = await claimed('docker run -i --rm image');
    started(claim);
    engine.refusals = 3;
    expect(await passing(claim.end())).toBeUndefined();
    expect(engine.containers.has(OURS)).toBe(false);
    const other = await claimed('docker run -i --rm image');
    started(other);
    engine.refusals = Number.MAX_SAFE_INTEGER;
    expect(await passing(other.end())).toContain(`docker did not remove ${OURS.slice(0, 12)}`);
    expect(existsSync(idFileOf(other))).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('is found by its label where the client was killed before the engine told it the id', async () => {
    const claim = await claimed('docker run -i --rm image');
    writeFileSync(idFileOf(claim), '');
    clock.setTimeout(() => engine.add({ id: OURS, label: request(claim).label }), 1200);
    await passing(claim.end());
    expect([...engine.containers.keys()]).toEqual([ANOTHERS]);
    expect(left()).toEqual([]);
  });

  it('is removed before the next run of its server, where its engine was away at its end', async () => {
    const custody = panel();
    const claim = await claimed('docker run -i --rm --name box image', {}, custody);
    started(claim);
    engine.isReached = false;
    expect(await claim.end()).toContain('its next start tries again');
    await claimed('docker run -i --rm --name box image', {}, custody);
    expect(engine.containers.has(OURS)).toBe(true);
    engine.isReached = true;
    await claimed('docker run -i --rm --name box image', {}, custody);
    expect([...engine.containers.keys()]).toEqual([ANOTHERS]);
  });

  it('is found by its label alone where the client is a snap, which may not write the file', async () => {
    const claim = await claimed('docker run -i --rm image', { found: { file: '/snap/bin/docker' } });
    expect(claim.request.args.join(' ')).toBe(
      `run --label mcp-control-panel.run=t1 --label ${HOME_LABEL} -i --rm --rm=false image`,
    );
    engine.add({ id: OURS, label: request(claim).label });
    await claim.end();
    expect([...engine.containers.keys()]).toEqual([ANOTHERS]);
  });

  it('leaves no file where nothing was spawned, nor where the client found no engine', async () => {
    await (await claimed('docker run -i image')).drop();
    expect(left()).toEqual([]);
    engine.isReached = false;
    const claim = await claimed('docker run -i image');
    expect(await claim.end()).toBeUndefined();
    expect(left()).toEqual([]);
  });

  it('is no option word, whatever stands in the file', async () => {
    const claim = await claimed('docker run -i image');
    started(claim);
    writeFileSync(idFileOf(claim), '--all');
    await passing(claim.end());
    expect([...engine.containers.keys()]).toEqual([ANOTHERS]);
  });
});

describe('the next start of the panel', () => {
  const reap = async (custody = panel()) => {
    const problems: string[] = [];
    return { reports: await custody.reap((problem) => problems.push(problem)), problems };
  };

  it('ends what an earlier panel left, in its own environment, and nothing of others', async () => {
    const env = { PATH: '/then', DOCKER_HOST: 'unix:///x', DOCKER_AUTH_CONFIG: 'secret', HOME: '/me' };
    started(await claimed('docker run -i --rm image', { env, cwd: join(folder, 'gone') }));
    expect(await reap()).toEqual({
      reports: [{ server: 'box', engine: 'docker', ids: [OURS] }],
      problems: [],
    });
    expect(engine.environments[0]).toEqual({ PATH: '/now', DOCKER_HOST: 'unix:///x', HOME: '/me' });
    expect([...engine.containers.keys()]).toEqual([ANOTHERS]);
    expect(left()).toEqual([]);
    expect(await reap()).toEqual({ reports: [], problems: [] });
  });

  it('says nothing of a container that has gone by itself', async () => {
    started(await claimed('docker run -i --rm image'));
    engine.containers.delete(OURS);
    expect(await reap()).toEqual({ reports: [], problems: [] });
    expect(left()).toEqual([]);
  });

  it('keeps what its engine cannot be asked for, asks that engine once, and ends it the next time', async () => {
    const custody = panel();
    started(await claimed('docker run -i --rm image', {}, custody));
    started(await claimed('docker run -i --rm image', {}, custody), containerId(3));
    engine.isReached = false;
    const { reports, problems } = await reap();
    expect(reports).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('no engine')]);
    expect(engine.calls).toHaveLength(1);
    engine.isReached = true;
    expect((await reap()).reports).toHaveLength(2);
    expect([...engine.containers.keys()]).toEqual([ANOTHERS]);
  });

  it('lets a container be that this very panel has started meanwhile', async () => {
    const custody = panel();
    started(await claimed('docker run -i image', {}, custody));
    expect((await reap(custody)).reports).toEqual([]);
    expect(engine.containers.has(OURS)).toBe(true);
  });

  it('leaves alone what it does not understand', async () => {
    const claim = await claimed('docker run -i image');
    started(claim);
    const record = idFileOf(claim).replace(/cid$/, 'json');
    for (const damage of ['', '{', '[]', '{"version":2}']) {
      writeFileSync(record, damage);
      expect(await reap()).toEqual({ reports: [], problems: [] });
    }
    expect(engine.calls).toEqual([]);
  });
});
