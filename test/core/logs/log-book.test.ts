import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogFilter, LogLine } from '../../../shared/log-lines.ts';
import { openLogs, type TestLogs } from './open-logs.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let home: string;
let logs: TestLogs;
beforeEach(() => {
  home = tempFolder('logs-');
  logs = openLogs(home);
});
afterEach(async () => {
  await logs.dispose();
});

const texts = (lines: readonly LogLine[]) => lines.map(({ text }) => text);

/** All lines that a filter lets pass, in pages of that size. */
async function paged(side: 'older' | 'newer', limit: number, filter: LogFilter = {}): Promise<LogLine[]> {
  const all: LogLine[] = [];
  let beside: { key?: string; at?: number; side: typeof side } =
    side === 'older' ? { side } : { at: 0, side };
  for (;;) {
    const { lines, hasMore, isCutOff } = await logs.book.page({ filter, beside, limit });
    expect(isCutOff).toBeUndefined();
    expect(lines.length).toBeLessThanOrEqual(limit);
    if (side === 'older') all.unshift(...lines);
    else all.push(...lines);
    if (!hasMore) return all;
    beside = { key: (side === 'older' ? lines[0] : lines.at(-1))!.key, side };
  }
}

/** The lines behind that one. */
const behind = (key: string | undefined, limit = 10, filter: LogFilter = {}) =>
  logs.book.page({ filter, beside: { key: key!, side: 'newer' }, limit });

/** Numbers, each in a line of its own. */
function count(from: number, to: number, output = logs.output('one')): void {
  for (let index = from; index < to; index += 1) output.append(Buffer.from(`${index}\n`));
}

/** The next launch, at least a millisecond later. */
async function reopen(afterMs = 1): Promise<void> {
  await logs.dispose();
  await logs.clock.advance(afterMs);
  logs = openLogs(home, logs.clock);
}

function passNotification(stream: string, method: string): void {
  const message = { jsonrpc: '2.0', method };
  logs.book.trafficOf(stream).passed({ direction: 'to-server', message, content: '{}', asker: undefined });
}

/** So far is the clock set back, and forward again. */
const SET_BACK_MS = 90_000;
/** Each time that it is set, another last digit of the milliseconds: no two lines have the same place. */
const MOST_SETTINGS = 9;

/** What is done to the logs before they are read, one step after the other. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      what: fc.constantFrom('stderr' as const, 'mcp' as const, 'protocol' as const, 'traffic' as const),
      stream: fc.constantFrom('one', 'two', 'two#2'),
      words: fc.constantFrom('plain', 'error: broken', 'WARN hot', '  at frame'),
    }),
    fc.record({
      what: fc.constantFrom(
        ...([
          'wait',
          'panel',
          'flush',
          'reopen',
          'setBack',
          'setForward',
        ] as const satisfies readonly string[]),
      ),
    }),
  ),
  { maxLength: 60, size: 'max' },
);

interface Said {
  readonly text: string;
  readonly at: number;
  /** Said since the logs were opened last. */
  isOfLaunch: boolean;
}

async function beginAnew(): Promise<void> {
  await logs.dispose();
  rmSync(join(home, 'logs'), { recursive: true, force: true });
  logs = openLogs(home);
}

/** Does the steps; returns what is kept of what was said, in the order in which it was. */
async function say(
  done: typeof steps extends fc.Arbitrary<infer D> ? D : never,
  look: (isOtherLaunch: boolean) => Promise<void> = () => Promise.resolve(),
): Promise<Said[]> {
  let said: Said[] = [];
  let settings = 0;
  const { clock } = logs;
  const add = (text: string) => said.push({ text, at: clock.epochMs(), isOfLaunch: true });
  for (const [index, step] of done.entries()) {
    const words = `${index} ${'words' in step ? step.words : 'panel'}`;
    if ('words' in step) {
      const output = logs.output(step.stream);
      if (step.what === 'stderr') output.append(Buffer.from(`${words}\n`));
      else if (step.what === 'traffic') passNotification(step.stream, `n/${index}`);
      else output.say(step.what, words);
      add(step.what === 'traffic' ? `→ n/${index} · 2 B` : words);
    } else if (step.what === 'panel') {
      logs.panel.say('panel', words);
      add(words);
    } else if (step.what === 'reopen') {
      await reopen(10);
      // Traffic is kept in memory alone.
      said = said.filter(({ text }) => !text.startsWith('→'));
      for (const line of said) line.isOfLaunch = false;
    } else if (step.what === 'setBack' || step.what === 'setForward') {
      const byMs = step.what === 'setBack' ? -SET_BACK_MS : SET_BACK_MS;
      if (settings < MOST_SETTINGS) clock.setEpochMs(clock.epochMs() + byMs + 1);
      settings += 1;
    } else await clock.advance(step.what === 'wait' ? 10 : 200);
    await look(step.what === 'reopen');
  }
  return said;
}

describe('the pages of all logs', () => {
  it('hold every line once and in the order in which they came, from both ends and of any size', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (done, limit) => {
        await beginAnew();
        const said = await say(done);
        await logs.flush();
        const inOrder = said.sort((one, other) => one.at - other.at).map(({ text }) => text);
        expect(texts(await paged('older', limit))).toEqual(inOrder);
        expect(texts(await paged('newer', limit))).toEqual(inOrder);
        const ofTwo = await paged('older', limit, { servers: ['two'] });
        expect(ofTwo.every(({ server }) => server === 'two')).toBe(true);
        const whole = await paged('older', 2000);
        expect(ofTwo).toEqual(whole.filter(({ server }) => server === 'two'));
        expect(await paged('newer', limit, { leastLevel: 'warning' })).toEqual(
          whole.filter(({ level }) => level === 'warning' || level === 'error'),
        );
        expect(new Set(whole.map(({ key }) => key)).size).toBe(whole.length);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it('bring each line once to whoever follows, in the order in which they come, whatever the clock says', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 9 }), async (done, limit) => {
        await beginAnew();
        let followed: string[] = [];
        let tail: string | undefined;
        const look = async (isOtherLaunch: boolean) => {
          if (isOtherLaunch) followed = [];
          if (isOtherLaunch || tail === undefined) {
            ({ tail } = await logs.book.page({ filter: {}, limit }));
            return;
          }
          for (let hasMore = true; hasMore;) {
            const page = await behind(tail, limit);
            expect(page.isCutOff).toBeUndefined();
            followed.push(...texts(page.lines));
            ({ hasMore, tail } = page);
          }
        };
        await look(true);
        const said = await say(done, look);
        expect(followed).toEqual(said.filter(({ isOfLaunch }) => isOfLaunch).map(({ text }) => text));
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it('go on from a line while the log is rotated below it, and say so once the line is gone', async () => {
    const output = logs.output('one');
    const line = (index: number) => `line ${index} ${'x'.repeat(900)}`;
    const write = async (from: number, to: number) => {
      for (let index = from; index < to; index += 1) {
        output.append(Buffer.from(`${line(index)}\n`));
        if (index % 100 === 99) await logs.flush();
      }
      await logs.flush();
    };
    await write(0, 2000);
    const { lines } = await logs.book.page({ filter: {}, beside: { at: 0, side: 'newer' }, limit: 1000 });
    expect(texts(lines)).toEqual(Array.from({ length: 1000 }, (_, index) => line(index)));
    await write(2000, 3000);
    const next = await behind(lines.at(-1)?.key);
    expect(next.isCutOff).toBeUndefined();
    expect(texts(next.lines)).toEqual(Array.from({ length: 10 }, (_, index) => line(1000 + index)));
    await write(3000, 6000);
    const cut = await behind(lines.at(-1)?.key, 1);
    expect(cut.isCutOff).toBe(true);
    expect(cut.hasMore).toBe(true);
    const [first] = cut.lines;
    expect(Number(/^line (\d+)/.exec(first!.text)![1])).toBeGreaterThan(2000);
    const beside = { key: first!.key, side: 'older' } as const;
    const before = await logs.book.page({ filter: {}, beside, limit: 1 });
    expect(before).toMatchObject({ lines: [], hasMore: false });
  });

  it('begin at a moment, and end where a span does', async () => {
    const output = logs.output('one');
    const began = logs.clock.epochMs();
    for (let index = 0; index < 10; index += 1) {
      output.append(Buffer.from(`${index}\n`));
      await logs.clock.advance(1000);
    }
    const at = began + 5000;
    const page = (filter: LogFilter, beside: object | undefined) =>
      logs.book.page({ filter, limit: 3, ...(beside && { beside: beside as { side: 'older' } }) });
    expect(texts((await page({}, { at, side: 'newer' })).lines)).toEqual(['5', '6', '7']);
    expect(texts((await page({}, { at, side: 'older' })).lines)).toEqual(['2', '3', '4']);
    expect(texts((await page({ from: began + 3000, to: at }, undefined)).lines)).toEqual(['3', '4']);
    const span = await page({ from: began + 3000, to: at }, { side: 'newer' });
    expect(texts(span.lines)).toEqual(['3', '4']);
    expect(span.hasMore).toBe(false);
  });

  it('of a generation are of this launch and of the server’s own process', async () => {
    const write = async (words: string) => {
      for (const stream of ['two', 'two#2']) {
        for (const generation of [1, 2]) {
          logs.output(stream).begin(generation);
          logs.output(stream).append(Buffer.from(`${words} ${stream} ${generation}\n`));
        }
      }
      await logs.flush();
    };
    await write('earlier');
    await reopen();
    await write('now');
    const filter = { servers: ['two'], generation: 2 };
    expect(texts(await paged('older', 10, filter))).toEqual(['now two 2']);
    expect(texts(await paged('newer', 10, filter))).toEqual(['now two 2']);
    const { hit } = await logs.book.find({ filter, text: 'earlier', side: 'older' });
    expect(hit).toBeUndefined();
    // What memory holds no longer is found on disk.
    count(0, 3000, logs.output('two'));
    await logs.flush();
    expect(texts(await paged('newer', 10, { ...filter, to: logs.clock.epochMs() + 1 }))[0]).toBe('now two 2');
  });

  it('of a level hold what goes on with a line of it, wherever the files are cut', async () => {
    const frame = `    at frame (${'x'.repeat(100)})`;
    for (let index = 0; index < 1500; index += 1) {
      const lines = [`error: ${index}`, ...Array.from({ length: 9 }, () => frame)];
      logs.output('one').append(Buffer.from(`${lines.join('\n')}\n`));
      if (index % 50 === 49) await logs.flush();
    }
    expect(readdirSync(join(home, 'logs', 'servers')).length).toBeGreaterThan(1);
    await reopen();
    const whole = await paged('older', 2000);
    expect(whole).toHaveLength(15_000);
    expect(await paged('older', 2000, { leastLevel: 'error' })).toEqual(whole);
    expect(await paged('newer', 2000, { leastLevel: 'error' })).toEqual(whole);
  });

  it('have the first arguments of a call in its line, and no part of a secret', async () => {
    logs.output('one');
    const secret = `sk-proj-${'Ab3'.repeat(16)}`;
    const padded = { padding: 'y'.repeat(30), key: secret };
    for (const given of [{ text: 'hello' }, { a: 'x'.repeat(100) }, padded]) {
      const params = { name: 'echo', arguments: given };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const asker = { client: 'Cursor', isOwn: false };
      const content = JSON.stringify(message);
      logs.book.trafficOf('one').passed({ direction: 'to-server', message, content, asker });
    }
    const lines = texts(await paged('older', 50));
    expect(lines[0]).toMatch(/^→ tools\/call echo \{"text":"hello"\} · \d+ B · Cursor$/);
    expect(lines[1]).toContain(`{"a":"${'x'.repeat(54)}… ·`);
    expect(lines[2]).toContain('yyy');
    expect(lines[2]).not.toContain('sk-proj-Ab3');
  });

  it('of the panel itself are asked for by an empty name', async () => {
    logs.panel.say('panel', 'earlier');
    logs.output('one').append(Buffer.from('of a server\n'));
    await logs.flush();
    await reopen();
    logs.panel.say('panel', 'now');
    logs.output('one').say('panel', 'about a server');
    expect(texts(await paged('older', 10, { servers: [''] }))).toEqual(['earlier', 'now']);
  });

  it('read the files of earlier versions, whose lines are of stderr and stamped to the millisecond', async () => {
    const folder = join(home, 'logs', 'servers');
    mkdirSync(folder, { recursive: true });
    const stamp = '2026-01-01T00:00:00.000Z';
    writeFileSync(
      join(folder, 'gone.log'),
      `${stamp} #1 first\n${stamp} #1 @mcp/error third\r50 %\nno stamp\n${stamp} #2 last\nunfinished`,
    );
    writeFileSync(join(folder, '_NUL.log'), '2025-01-01T00:00:00.000Z #3 of a device\n');
    const { lines } = await logs.book.page({ filter: {}, limit: 10 });
    expect(lines.map(({ server, text, generation }) => [server, generation, text])).toEqual([
      ['NUL', 3, 'of a device'],
      ['gone', 1, 'first'],
      ['gone', 1, '@mcp/error third\r50 %'],
      ['gone', 2, 'last'],
    ]);
    expect(lines.every(({ source }) => source === 'stderr')).toBe(true);
    expect(texts(await paged('older', 1))).toEqual(texts(lines));
    expect(texts(await paged('newer', 1))).toEqual(texts(lines));
  });

  it('tell how far they looked, from where a log that is followed goes on without a look at the disk', async () => {
    const output = logs.output('one');
    output.append(Buffer.from('quiet\n'));
    await logs.flush();
    const filter = { leastLevel: 'error' as const };
    const { lines, tail } = await logs.book.page({ filter, limit: 10 });
    expect(lines).toEqual([]);
    const asked = logs.asked();
    const more = () => behind(tail, 10, filter);
    expect(await more()).toMatchObject({ lines: [], hasMore: false, tail });
    output.append(Buffer.from('quiet\nerror: loud\n'));
    const page = await more();
    expect(texts(page.lines)).toEqual(['error: loud']);
    expect(page.isCutOff).toBeUndefined();
    expect(logs.asked()).toBe(asked);
  });

  it('of the newest lines are followed from the newest one, however many there are', async () => {
    count(0, 10);
    await logs.flush();
    const { lines, hasMore, tail } = await logs.book.page({ filter: {}, limit: 3 });
    expect(texts(lines)).toEqual(['7', '8', '9']);
    expect(hasMore).toBe(true);
    expect(await behind(tail)).toMatchObject({ lines: [], hasMore: false });
    count(10, 11);
    expect(texts((await behind(tail)).lines)).toEqual(['10']);
  });

  it('of a log that says nothing yet are followed without a look at the disk', async () => {
    const { tail } = await logs.book.page({ filter: {}, limit: 3 });
    const asked = logs.asked();
    expect((await behind(tail)).lines).toEqual([]);
    expect(logs.asked()).toBe(asked);
  });

  it('bring lines that come while the disk is read once, and all of them', async () => {
    const [one, two] = [logs.output('one'), logs.output('two')];
    one.append(Buffer.from('before\n'));
    for (const beside of [undefined, { at: 0, side: 'newer' as const }]) {
      logs.meanwhile(async () => {
        two.append(Buffer.from('not yet on disk\n'));
        await logs.clock.advance(1);
        one.append(Buffer.from('on disk\n'));
        await logs.flush();
        two.append(Buffer.from('last\n'));
      });
      const page = await logs.book.page({ filter: {}, ...(beside && { beside }), limit: 100 });
      const rest = await behind(page.tail, 100);
      expect([...page.lines, ...rest.lines]).toEqual(await paged('older', 100));
    }
  });

  it('say to who follows what is no longer in memory when the clock was set back, and bring the rest from there', async () => {
    count(0, 100);
    logs.clock.setEpochMs(logs.clock.epochMs() - SET_BACK_MS);
    count(100, 3000);
    await logs.flush();
    const { tail } = await logs.book.page({ filter: {}, limit: 10 });
    const asked = logs.asked();
    count(3000, 3010);
    const page = await behind(tail, 2000);
    expect(texts(page.lines)).toEqual(Array.from({ length: 10 }, (_, index) => `${3000 + index}`));
    expect(page.isCutOff).toBeUndefined();
    count(3010, 7000);
    expect(await behind(tail, 2000)).toMatchObject({ isCutOff: true });
    expect(logs.asked()).toBe(asked);
  });

  it('bring to who follows what is on disk alone already', async () => {
    logs.output('one');
    const { tail } = await logs.book.page({ filter: {}, limit: 10 });
    count(0, 3000);
    await logs.flush();
    const page = await behind(tail, 5);
    expect(texts(page.lines)).toEqual(['0', '1', '2', '3', '4']);
    expect(page.isCutOff).toBeUndefined();
  });

  it('of some lines are followed in memory, whatever others say too much for it', async () => {
    const { tail } = await logs.book.page({ filter: {}, limit: 10 });
    count(0, 3000);
    passNotification('one', 'n');
    const asked = logs.asked();
    for (const filter of [{ sources: ['traffic' as const] }, { servers: ['two'] }]) {
      const page = await behind(tail, 10, filter);
      expect(page.lines).toHaveLength('sources' in filter ? 1 : 0);
      expect(page.isCutOff).toBeUndefined();
    }
    expect(logs.asked()).toBe(asked);
  });

  it('show what is in memory while the disk refuses it', async () => {
    await logs.dispose();
    rmSync(join(home, 'logs'), { recursive: true, force: true });
    writeFileSync(join(home, 'logs'), 'no folder');
    logs = openLogs(home, logs.clock);
    logs.output('one').append(Buffer.from('still here\n'));
    await logs.flush();
    const { lines } = await logs.book.page({ filter: { servers: ['one'] }, limit: 10 });
    expect(texts(lines)).toEqual(['still here']);
  });
});

describe('the search over all logs', () => {
  it('finds in slices what a look at every line finds, forwards and backwards', async () => {
    const output = logs.output('one');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('Needle', '\u001b[31mnee\u001b[0mdle', 'hay', 'STRAẞE'), { maxLength: 30 }),
        fc.constantFrom('older' as const, 'newer' as const),
        async (said, side) => {
          for (const text of said) output.append(Buffer.from(`${text}\n`));
          await logs.flush();
          const whole = await paged('older', 2000);
          const hits = whole.filter(({ text }) => text.includes('eedle') || text.includes('nee'));
          const found: LogLine[] = [];
          let key: string | undefined;
          for (;;) {
            const from = key === undefined ? {} : { key };
            const result = await logs.book.find({ filter: {}, text: 'NEEDLE', side, ...from });
            if (result.hit) found.push(result.hit);
            key = result.hit?.key ?? result.continueAt;
            if (key === undefined) break;
          }
          expect(found).toEqual(side === 'newer' ? hits : hits.reverse());
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);

  it('keeps to the case of the words where it counts', async () => {
    logs.output('one').append(Buffer.from('Needle\n'));
    await reopen();
    logs.output('one').append(Buffer.from('NEEDLE\nneedle\n'));
    const find = async (text: string, key?: string) => {
      const search = { filter: {}, text, matchesCase: true, side: 'older' } as const;
      return (await logs.book.find({ ...search, ...(key !== undefined && { key }) })).hit;
    };
    expect((await find('needle'))?.text).toBe('needle');
    expect((await find('Needle'))?.text).toBe('Needle');
    expect(await find('nEEdle')).toBeUndefined();
  });

  it('answers within a bound, and says where to go on from', async () => {
    const output = logs.output('one');
    output.append(Buffer.from('the one that is sought\n'));
    for (let index = 0; index < 15_000; index += 1) {
      output.append(Buffer.from(`hay ${index}\n`));
      if (index % 5000 === 0) await logs.flush();
    }
    await logs.flush();
    const search = { filter: {}, text: 'SOUGHT', side: 'older' as const };
    const first = await logs.book.find(search);
    expect(first.hit).toBeUndefined();
    expect(first.scannedLines).toBeGreaterThanOrEqual(10_000);
    const second = await logs.book.find({ ...search, key: first.continueAt! });
    expect(second.hit?.text).toBe('the one that is sought');
  });
});
