import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { OutputFile, outputPath } from '../../../electron/core/journal/output-file.ts';
import { LineTimes } from '../../../electron/core/journal/line-times.ts';
import { ServerOutput } from '../../../electron/core/journal/server-output.ts';
import { createFakeClock } from '../fake-clock.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let folder: string;
beforeEach(() => (folder = tempFolder('output-')));

function create(server = 'files', maxBytes?: number) {
  const clock = createFakeClock(0);
  const problems: string[] = [];
  const times = new LineTimes(clock);
  const file = new OutputFile({
    ...{ folder, server, clock, times },
    onProblem: (message) => problems.push(message),
    ...(maxBytes !== undefined && { maxBytes }),
  });
  const lines = async () => (await readFile(join(folder, `${server}.log`), 'utf8')).trimEnd().split('\n');
  const output = new ServerOutput({ wallClock: clock, file, times });
  const dispose = () => {
    output.finish();
    return file.dispose();
  };
  const write = (text: string | Buffer) => output.append(Buffer.from(text));
  return { clock, file, output, problems, lines, write, dispose };
}

describe('OutputFile', () => {
  it('writes each line with its time and its run', async () => {
    const { clock, output, dispose, lines, write } = create();
    output.begin(1);
    write('one\r\ntw');
    await clock.advance(1500);
    write('o\nunfinished');
    output.begin(2);
    write('next\n');
    await dispose();
    expect(await lines()).toEqual([
      '1970-01-01T00:00:00.000Z #1 one',
      '1970-01-01T00:00:01.500Z #1 two',
      '1970-01-01T00:00:01.500001Z #1 unfinished',
      '1970-01-01T00:00:01.500002Z #2 next',
    ]);
    expect(clock.pending).toBe(0);
  });

  it('keeps three parts of bounded size of a flood, the last lines among them', async () => {
    const { dispose, write, file } = create('flood', 50_000);
    for (let index = 0; index < 40; index += 1) {
      write(`${`line ${index} ${'x'.repeat(100)}\n`.repeat(100)}`);
      await file.flush();
    }
    write('last words\n');
    await dispose();
    const names = await readdir(folder);
    expect(names).toEqual(['flood.log', 'flood.log.1', 'flood.log.2']);
    for (const name of names) expect((await stat(join(folder, name))).size).toBeLessThan(60_000);
    expect(await readFile(join(folder, 'flood.log'), 'utf8')).toMatch(/ last words\n$/);
  });
});

describe('outputPath', () => {
  it.each([
    ['files', 'files.log'],
    ['..', '...log'],
    ['NUL', '_NUL.log'],
    ['com1.tools', '_com1.tools.log'],
    ['console', 'console.log'],
  ])('of %s is %s', (server, expected) => {
    expect(outputPath('/logs', server)).toBe(join('/logs', expected));
  });
});
