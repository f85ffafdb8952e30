import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containerRunOf, engineOf } from '../../shared/container-run.ts';

const read = (line: string) => {
  const [command = '', ...args] = line.split(' ');
  return containerRunOf(command, args);
};

describe('what a command line runs in a container', () => {
  it.each([
    ['docker run image', 'image', ''],
    ['docker run -i --rm image --cidfile x', 'image', '--cidfile x'],
    ['/usr/bin/docker run -it --name box image server -v', 'image', 'server -v'],
    ['C:\\Docker\\docker.exe run -itv /a:/b image', 'image', ''],
    ['podman run -iv/a:/b image a', 'image', 'a'],
    ['docker run -eA=1 -e B image', 'image', ''],
    ['docker run -i=false --rm=true --env=A=1 image', 'image', ''],
    ['docker run --pull always --platform linux/amd64 -i image', 'image', ''],
    ['docker -H ssh://host --tls -c far run -i image', 'image', ''],
    ['docker container run --init image', 'image', ''],
    ['podman --remote --url unix:///x run --replace --name a --tls-verify=false image', 'image', ''],
    ['nerdctl -n tools run -i image', 'image', ''],
    ['docker run --network host -- image -i', 'image', '-i'],
    ['docker run --some-new-option value image', 'image', ''],
  ])('%s', (line, image, serverWords) => {
    const found = read(line);
    expect([found?.image, found?.serverWords.join(' ')]).toEqual([image, serverWords]);
  });

  it.each([
    'docker exec -i box server',
    'docker compose run image',
    'docker start -ai box',
    'docker run',
    'docker run -i --name image',
    'docker --config run image',
    'node run image',
    'docker',
    '',
  ])('is nothing for %j', (line) => {
    expect(read(line)).toBeUndefined();
  });

  it('tells the options of the client, where those of run begin, and which there are', () => {
    const found = read(
      'docker -H tcp://far:1 --debug container run -itd --cidfile /x --rm=true -v /a:/b image',
    );
    expect(found).toMatchObject({ engine: 'docker', optionsAt: 5 });
    expect(found?.clientOptions).toEqual(['-H', 'tcp://far:1', '--debug']);
    expect([...(found?.options ?? [])]).toEqual(['-i', '-t', '-d', '--cidfile', '--rm', '-v']);
  });

  it('leaves the words of the command line as they are, whatever stands there', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('run', 'container', '-i', '-it', '-v', '--rm', '--', '-', '-e=A', '--name', 'image'),
    );
    const line = fc.tuple(fc.constantFrom('docker', 'podman', 'sh'), fc.array(word, { maxLength: 12 }));
    fc.assert(
      fc.property(line, ([command, args]) => {
        const found = containerRunOf(command, args);
        if (found === undefined) return;
        const imageAt = args.length - found.serverWords.length - 1;
        expect(args[imageAt]).toBe(found.image);
        expect(args[found.optionsAt - 1]).toBe('run');
        expect(args.slice(0, found.clientOptions.length)).toEqual(found.clientOptions);
        expect(found.optionsAt).toBeLessThanOrEqual(imageAt);
        // Options that stand in front, or behind the others, are read as such, and change nothing else.
        const added = args
          .toSpliced(found.optionsEnd, 0, '--rm=false')
          .toSpliced(found.optionsAt, 0, '--label', 'run');
        expect(containerRunOf(command, added)).toEqual({
          ...found,
          optionsEnd: found.optionsEnd + 3,
          options: new Set(['--label', ...found.options, '--rm']),
          given: [
            { name: '--label', value: 'run', words: ['--label', 'run'] },
            ...found.given,
            { name: '--rm', value: 'false', words: ['--rm=false'] },
          ],
        });
      }),
    );
  });
});

describe('the container engine whose client a command is', () => {
  it.each([
    ['docker', 'docker'],
    ['/opt/bin/podman', 'podman'],
    ['C:\\x\\Nerdctl.EXE', 'nerdctl'],
    ['dockerd', undefined],
    ['docker-compose', undefined],
    ['node', undefined],
  ])('%s: %s', (command, engine) => {
    expect(engineOf(command)).toBe(engine);
  });
});
