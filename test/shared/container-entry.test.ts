import { describe, expect, it } from 'vitest';
import {
  inContainer,
  isMovable,
  movedEntry,
  optionsLeftBehind,
  variablesSent,
  canBeShared,
  outOfContainer,
  packageWordsIn,
  pathsIn,
  type ContainerChoice,
} from '../../shared/container-entry.ts';
import { containerRunOf, hidesContainer } from '../../shared/container-run.ts';

const docker: ContainerChoice = { engine: 'docker', server: 'files', version: undefined, folders: [] };

const entryOf = (line: string) => {
  const [command, ...args] = line.split(' ');
  return { command, args };
};

const contained = (line: string, choice: Partial<ContainerChoice> = {}, rest: object = {}) => {
  const entry = inContainer({ ...entryOf(line), ...rest }, { ...docker, ...choice });
  return entry && [entry.command, ...entry.args].join(' ');
};

const NODE = 'docker run -i --rm --init -v mcp-cache-files:/root/.npm docker.io/library/node:22-slim';
const UV =
  'docker run -i --rm --init -v mcp-cache-files:/root/.cache/uv ghcr.io/astral-sh/uv:python3.13-bookworm-slim';

describe('a package in a container', () => {
  it.each([
    ['npx -y mcp-a', undefined, `${NODE} npx -y mcp-a`],
    ['npx -y mcp-a', '1.2.3', `${NODE} npx -y mcp-a@1.2.3`],
    ['npx -y @scope/pkg@latest /data', '1.2.3-beta.1', `${NODE} npx -y @scope/pkg@1.2.3-beta.1 /data`],
    ['npx -y @scope/pkg@1.0.0', '1.2.3', `${NODE} npx -y @scope/pkg@1.0.0`],
    ['npx --package @scope/pkg run-it', '1.2.3', `${NODE} npx --package @scope/pkg@1.2.3 run-it`],
    ['npx --package=mcp-a mcp-a', '1.2.3', `${NODE} npx --package=mcp-a@1.2.3 mcp-a`],
    ['/usr/local/bin/npx mcp-a', undefined, `${NODE} npx mcp-a`],
    ['cmd /c npx -y mcp-a', undefined, `${NODE} npx -y mcp-a`],
    ['npx -y github:owner/mcp-a', undefined, `${NODE.replace('-slim', '')} npx -y github:owner/mcp-a`],
    ['uvx mcp-a --flag', '0.4.1', `${UV} uvx mcp-a@0.4.1 --flag`],
    ['uvx --from mcp-pkg mcp-a', '0.4.1', `${UV} uvx --from mcp-pkg==0.4.1 mcp-a`],
    ['uvx --from=mcp-pkg mcp-a', '0.4.1', `${UV} uvx --from=mcp-pkg==0.4.1 mcp-a`],
    ['uvx --from mcp-pkg[all]==2.0 mcp-a', '0.4.1', `${UV} uvx --from mcp-pkg[all]==2.0 mcp-a`],
  ])('%s at version %j', (line, version, expected) => {
    expect(contained(line, { version })).toBe(expected);
  });

  it.each([
    'node server.js',
    'npm exec mcp-a',
    'npx',
    'npx -c "mcp-a"',
    'docker run -i mcp/a',
    'uv run mcp-a',
  ])('is not made of %s', (line) => expect(contained(line)).toBeUndefined());

  it('is not made of a remote server or of a broken entry', () => {
    for (const entry of [{ url: 'https://x' }, {}, { command: 1 }, { command: 'npx', args: 'a' }])
      expect(inContainer(entry, docker)).toBeUndefined();
  });

  it('gets variables by name alone, so that no value comes onto a command line', () => {
    const env = { TOKEN: '${secret:token}', ROOT: '${HOME}/x', KEY: 'abc', PATH: '/opt/bin', Home: '/x' };
    const entry = inContainer({ ...entryOf('npx mcp-a'), env }, docker);
    expect(entry?.args.join(' ')).toContain('/root/.npm -e TOKEN -e ROOT -e KEY docker.io');
    expect(entry).toMatchObject({ env });
  });

  it('sees the files that a person named, and writes where that was allowed', () => {
    const folders = [
      { path: '/data', isWritable: false },
      { path: '/srv/my notes', isWritable: true },
    ];
    const entry = inContainer(entryOf('npx mcp-a /data'), { ...docker, folders });
    expect(entry?.args.filter((word) => word.startsWith('type='))).toEqual([
      'type=bind,src=/data,dst=/data,readonly',
      'type=bind,src=/srv/my notes,dst=/srv/my notes',
    ]);
    expect(containerRunOf('docker', entry?.args ?? [])?.serverWords).toEqual(['npx', 'mcp-a', '/data']);
  });

  it('has a cache of its own, whatever its name', () => {
    expect(contained('npx mcp-a', { server: 'a b/ü' })).toContain('-v mcp-cache-a-b--:/root/.npm');
  });

  it('runs in podman by the same words', () => {
    expect(contained('npx mcp-a', { engine: 'podman' })).toBe(
      `${NODE.replace('docker', 'podman')} npx mcp-a`,
    );
  });

  it('keeps all else of the entry, and comes out again as it went in', () => {
    const entry = {
      ...entryOf('npx -y mcp-a /data'),
      cwd: '/srv',
      env: { A: '1' },
      panel: { autoStart: false },
    };
    const folders = [{ path: '/my data', isWritable: false }];
    expect(outOfContainer(inContainer(entry, { ...docker, folders }) ?? {})).toEqual(entry);
    expect(outOfContainer(entryOf('docker run -i --rm mcp/a npx'))).toBeUndefined();
    expect(outOfContainer(entry)).toBeUndefined();
  });

  it('is known by a line whose paths with blanks were split', () => {
    const line = `${NODE.replace('docker.io', '--mount type=bind,src=/a b,dst=/a b docker.io')} npx -y mcp-a`;
    expect(packageWordsIn(line.split(' '))).toEqual(['npx', '-y', 'mcp-a']);
  });
});

describe('the paths of an entry', () => {
  it('are those of arguments and variables, each once', () => {
    const env = { FILE: '/data/memory.json', URL: 'https://x/y', PATH: '/opt/bin', N: '/data' };
    const entry = { ...entryOf('npx mcp-a /data --root=/srv/x --url=https://a / ./here /a:/b'), env };
    expect(pathsIn(entry)).toEqual(['/data', '/srv/x', '/data/memory.json']);
  });

  it.each([
    ['/data', true],
    ['/usr/share/x', true],
    ['/', false],
    ['//', false],
    ['data', false],
    ['/a,b', false],
    ['/a:b', false],
  ])('may be shared: %j %s', (path, isFine) => expect(canBeShared(path)).toBe(isFine));
});

describe('a container that the panel cannot measure', () => {
  it.each([
    ['docker compose run stock', true],
    ['docker --context far compose -f x run stock', true],
    ['docker exec -i box server', true],
    ['podman start -ai box', true],
    ['docker run -d image', true],
    ['sh -c "docker run -i --rm image"', true],
    ["/bin/bash -lc 'exec podman run -i image'", true],
    ['docker run -i --rm image', false],
    ['docker mcp gateway run', false],
    ['npx -y docker run', false],
    ['node server.js', false],
    ['', false],
  ])('%s: %s', (line, isHidden) => expect(hidesContainer(line.split(' '))).toBe(isHidden));
});

describe('a server that moves to an engine elsewhere', () => {
  const far = { engine: 'docker', host: 'ssh://me@far' } as const;
  const folders = [{ path: '/data', isWritable: false }];
  const there = (line: string, rest: object = {}) =>
    movedEntry({ ...entryOf(line), ...rest }, { ...docker, folders, place: far });
  const lineOf = (entry: ReturnType<typeof there>) => entry && [entry.command, ...entry.args].join(' ');

  it.each([
    ['npx -y mcp-a', `${NODE} npx -y mcp-a`],
    ['docker run -i --rm -e A mcp/a serve', 'docker run -i --rm -e A mcp/a serve'],
    ['podman container run -i mcp/a', 'docker run -i mcp/a'],
    ['docker -c near run -itv/home:/data:ro -e=A mcp/a', 'docker run -i -e=A mcp/a'],
    [
      'docker run -v ./x:/x -v ~/y:/y --volume=C:\\z:/z -v cache:/c -v /anonymous mcp/a',
      'docker run -v cache:/c -v /anonymous mcp/a',
    ],
    [
      'docker run -p 80:80 --gpus all --mount type=bind,src=/a,dst=/a -i mcp/a -p 1',
      'docker run -i mcp/a -p 1',
    ],
  ])('takes of %s what means the same there', (line, expected) => {
    expect(lineOf(there(line))).toBe(expected);
    expect(there(line)).toMatchObject({ panel: { runOn: far } });
  });

  it.each(['node server.js', 'docker compose run a', 'docker run -d mcp/a'])('is not made of %s', (line) => {
    expect([there(line), isMovable(line.split(' '))]).toEqual([undefined, false]);
  });

  it('says what stays behind, and which values are sent', () => {
    const line = 'docker -H tcp://near run -itv/home:/data -p 80:80 -e A -e B=1 -e C --env-file .env mcp/a';
    const entry = { ...entryOf(line), env: { A: '1' } };
    expect(optionsLeftBehind(entry)).toEqual(['-H', 'tcp://near', '-t', '-v=/home:/data', '-p 80:80']);
    expect(variablesSent(entry)).toEqual({ own: ['A', 'B'], ofMachine: ['C'], files: ['.env'] });
  });

  it('comes back into a container, with files of this machine, and from there to a process', () => {
    const moved = there('npx -y mcp-a /data', { env: { A: '1' }, panel: { autoStart: false } });
    const back = movedEntry(moved ?? {}, { ...docker, engine: 'podman', folders });
    const mount = '--mount type=bind,src=/data,dst=/data,readonly';
    const line = NODE.replace('docker', 'podman').replace('.npm', '.npm -e A');
    expect(lineOf(back)).toBe(line.replace(' docker.io', ` ${mount} docker.io`) + ' npx -y mcp-a /data');
    expect(back).toMatchObject({ panel: { autoStart: false } });
    expect(back).not.toHaveProperty('panel.runOn');
    for (const one of [moved, back])
      expect(outOfContainer(one ?? {})).toEqual({
        ...entryOf('npx -y mcp-a /data'),
        ...{ env: { A: '1' }, panel: { autoStart: false } },
      });
  });
});
