import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PASSED_ELSEWHERE } from '../../../../shared/container-run.ts';
import { containerSpecOf } from '../../../../electron/core/platform/elsewhere/container-spec.ts';

const files: ReadonlyMap<string, string> = new Map([
  [resolve('/home/me/secrets.env'), '# a comment\n\nTOKEN=from file\r\n  HOME\nUNSET\n'],
]);
const readText = (path: string) => {
  const text = files.get(path);
  return text === undefined ? Promise.reject(new Error('ENOENT')) : Promise.resolve(text);
};
const env = { HOME: '/home/me', TOKEN: 'from here' };
const specOf = (line: string, command = 'docker') =>
  containerSpecOf({ command, args: line.split(' '), cwd: '/home/me', env }, readText);

describe('the container that a line of docker run asks another engine for', () => {
  it('has an init, keeps its input open, and has a log that can be read', async () => {
    expect(await specOf('run -i image')).toEqual({
      withVolumes: false,
      body: {
        Image: 'image',
        Env: [],
        Labels: {},
        Volumes: {},
        OpenStdin: true,
        StdinOnce: false,
        HostConfig: { Init: true, Binds: [], CapDrop: [], SecurityOpt: [], LogConfig: { Type: 'json-file' } },
      },
    });
  });

  it.each([
    ['--name box', { name: 'box' }],
    ['--rm', { withVolumes: true }],
    ['--rm --rm=false', { withVolumes: false }],
  ])('is created as %s says', async (options, expected) => {
    expect(await specOf(`run -i ${options} image`)).toMatchObject(expected);
  });

  it.each([
    ['-e A=1 --env TOKEN -e UNSET -eB=2', { Env: ['A=1', 'TOKEN=from here', 'B=2'] }],
    ['--env-file secrets.env', { Env: ['TOKEN=from file', 'HOME=/home/me'] }],
    ['--entrypoint /bin/node', { Entrypoint: ['/bin/node'] }],
    ['-w /work', { WorkingDir: '/work' }],
    ['--workdir=/work', { WorkingDir: '/work' }],
    ['-u 1000:1000', { User: '1000:1000' }],
    ['--label a=b=c -l d', { Labels: { a: 'b=c', d: '' } }],
    ['-v /cache', { Volumes: { '/cache': {} } }],
  ])('has %s', async (options, expected) => {
    expect((await specOf(`run ${options} image`)).body).toMatchObject(expected);
  });

  it.each([
    ['-v /a:/b:ro --volume=data:/c -iv /d:/e', { Binds: ['/a:/b:ro', 'data:/c', '/d:/e'] }],
    ['--network none', { NetworkMode: 'none' }],
    ['--net=host', { NetworkMode: 'host' }],
    ['-m 512m', { Memory: 512 * 1024 * 1024 }],
    ['--memory 1.5g', { Memory: 1.5 * 1024 ** 3 }],
    ['--memory=64MiB', { Memory: 64 * 1024 * 1024 }],
    ['-m 1000', { Memory: 1000 }],
    ['--cpus 1.5', { NanoCpus: 1.5e9 }],
    ['--init', { Init: true }],
    ['--read-only', { ReadonlyRootfs: true }],
    ['--cap-drop ALL --cap-drop=CHOWN', { CapDrop: ['ALL', 'CHOWN'] }],
    ['--security-opt no-new-privileges', { SecurityOpt: ['no-new-privileges'] }],
  ])('is held by %s', async (options, expected) => {
    expect((await specOf(`run ${options} image`)).body.HostConfig).toMatchObject(expected);
  });

  it('runs the words behind the image, whatever they look like', async () => {
    const { body } = await specOf('run -i image --name -e A');
    expect(body).toMatchObject({ Image: 'image', Cmd: ['--name', '-e', 'A'], Env: [] });
  });

  it.each([
    ['run --gpus all image', '--gpus'],
    ['run -it image', '-t'],
    ['run -d image', '-d'],
    ['run -p 80:80 image', '-p'],
    ['run -v ./here:/there image', '-v ./here:/there'],
    ['run -v ~/here:/there image', '-v ~/here:/there'],
    ['run -m lots image', '--memory lot'],
    ['run --security-opt seccomp=/profile.json image', 'seccomp=/profile.json'],
    ['run --env-file missing.env image', 'missing.env'],
    ['-H tcp://far:1 run image', '-H'],
  ])('is refused for %s, by the name of %s', async (line, name) => {
    await expect(specOf(line)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(name) as unknown,
    });
  });

  it('takes every option that a move takes along', async () => {
    const values: ReadonlyMap<string, string> = new Map([
      ...['-i', '--interactive', '--init', '--rm', '--read-only'].map((flag) => [flag, ''] as const),
      ...['-m', '--memory', '--cpus'].map((option) => [option, '1'] as const),
      ...['-v', '--volume'].map((option) => [option, 'cache:/cache'] as const),
      ['--env-file', 'secrets.env'],
    ]);
    const words = [...PASSED_ELSEWHERE].flatMap((option) => [option, values.get(option) ?? 'x']);
    const { body } = await specOf(['run', ...words.filter((word) => word !== ''), 'image'].join(' '));
    expect(body.Image).toBe('image');
  });

  it.each([
    ['node', 'server.js'],
    ['docker', 'compose run server'],
    ['docker', 'run -i'],
  ])('is refused without an image: %s %s', async (command, line) => {
    await expect(specOf(line, command)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      remedy: expect.stringContaining('docker run … IMAGE') as unknown,
    });
  });
});
