import fc from 'fast-check';
import { appendFile, mkdir, readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventKinds, type PanelEvent, toldEvent } from '../../../shared/events.ts';
import { isBoundedData, readEvents } from '../../../electron/core/journal/read-events.ts';
import { createFakeClock } from '../fake-clock.ts';
import { keptEventLine, EventLog, openEventFile } from '../../../electron/core/journal/event-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let home: string;
let path: string;
beforeEach(() => {
  home = tempFolder('events-');
  path = join(home, 'logs', 'events.jsonl');
});

const event = (index: number, detail: object = {}): PanelEvent => ({
  id: `${String(index).padStart(14, '0')}-00000001-a`,
  at: index,
  server: index % 2 === 0 ? 'files' : null,
  ...toldEvent(eventKinds[index % eventKinds.length]!, detail),
});

async function put(...lines: readonly string[]): Promise<void> {
  await mkdir(join(home, 'logs'));
  await writeFile(path, lines.map((line) => `${line}\n`).join(''));
}

function create(maxBytes?: number) {
  const clock = createFakeClock();
  const problems: string[] = [];
  const onProblem = (message: string) => problems.push(message);
  const file = openEventFile(path, clock, onProblem, maxBytes);
  return { clock, problems, file, append: (event: PanelEvent) => file.add(keptEventLine(event)) };
}

describe('the file of events', () => {
  it('gives back at the next launch what it was given, oldest first', async () => {
    const { file, append, clock } = create();
    const events = Array.from({ length: 20 }, (_, index) => event(index, { text: 'a\nb "ü" 🚀', index }));
    for (const one of events) append(one);
    await file.dispose();
    expect((await readEvents(path)).events).toEqual(events);
    expect(clock.pending).toBe(0);
  });

  it('gives back the last five hundred, from several parts if need be', async () => {
    const { file, append } = create(20_000);
    for (let index = 0; index < 2000; index += 1) {
      append(event(index, { filler: 'x'.repeat(50) }));
      if (index % 20 === 19) await file.flush();
    }
    await file.dispose();
    expect((await readdir(join(home, 'logs'))).length).toBe(5);
    const { events: found } = await readEvents(path);
    expect(found.map(({ at }) => at)).toEqual(Array.from({ length: 500 }, (_, index) => 1500 + index));
    expect((await readEvents(path, 3)).events).toHaveLength(3);
  });

  it.each([
    ['a torn last line', JSON.stringify(event(9)).slice(0, 40)],
    ['an empty line', '\n\n'],
    ['text', 'hello\n'],
    ['other JSON', '42\n{"lost":3}\n[]\n'],
    ['an event of a kind that it does not know', `${JSON.stringify({ ...event(9), kind: 'teleported' })}\n`],
    ['zeros of a crashed disk', '\0'.repeat(1000)],
  ])('passes over %s, and writes on behind it', async (_name, garbage) => {
    await put(JSON.stringify(event(1)));
    await appendFile(path, garbage);
    const { file, append } = create();
    append(event(2));
    await file.dispose();
    expect((await readEvents(path)).events).toEqual([event(1), event(2)]);
  });

  it('survives any bytes in the file', async () => {
    await mkdir(join(home, 'logs'));
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        await writeFile(path, bytes);
        expect((await readEvents(path)).events).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  it.each<[string, object]>([
    [
      'a detail that is nested deeply',
      { detail: JSON.parse(`{"a":${'['.repeat(17)}${']'.repeat(17)}}`) as object },
    ],
    ['a detail of thousands of values', { detail: { list: Array.from({ length: 4001 }, () => 0) } }],
    ['a time that is no date', { at: 1e300 }],
    ['a time before all time', { at: -1 }],
    ['an id that does not sort', { id: 'z' }],
    ['an id of the year 5138', { id: '99999999999999-00000001-a' }],
    ['the name of no server', { server: '../../etc/passwd' }],
    ['a line of 512 KiB', { detail: { text: 'x'.repeat(512 * 1024) } }],
  ])('passes over an event with %s, and counts it', async (_name, fields) => {
    const lines = [event(1), { ...event(2), ...fields }, event(3)].map((one) => JSON.stringify(one));
    await put(...lines, '{"lost":3}');
    expect(await readEvents(path)).toEqual({ events: [event(1), event(3)], passedOver: 1 });
  });

  it('gives back an event whose detail it cannot read, with the text of it', async () => {
    const strange = [{ exitCode: 'one', message: 'gone' }, ['a', 1], 'words', null];
    const lines = strange.map((detail, index) => ({ ...event(index + 1), kind: 'crashed', detail }));
    await put(...lines.map((line) => JSON.stringify(line)));
    const { events, passedOver } = await readEvents(path);
    expect(passedOver).toBe(0);
    expect(events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['crashed', { raw: '{"exitCode":"one","message":"gone"}' }],
      ['crashed', { raw: '["a",1]' }],
      ['crashed', { raw: 'words' }],
      ['crashed', { raw: 'null' }],
    ]);
  });

  it('gives back an event once, whoever repeats it', async () => {
    await put(...[1, 1, 1].map((index) => JSON.stringify(event(index))));
    expect(await readEvents(path)).toEqual({ events: [event(1)], passedOver: 2 });
  });

  it('reads the end of a journal of any size', async () => {
    await put(JSON.stringify(event(1)));
    await truncate(path, 300 * 1024 * 1024);
    await appendFile(path, `\n${JSON.stringify(event(2))}\n`);
    expect(await readEvents(path)).toEqual({ events: [event(2)], passedOver: 1 });
  });

  it('has room for each kind of detail that the panel itself writes', () => {
    const evidence = { calls: Array.from({ length: 100 }, () => ({ method: 'm', name: 'n', forMs: 1 })) };
    expect(isBoundedData({ evidence, stderrTail: 'x'.repeat(4000), pids: Array(300).fill(7) })).toBe(true);
  });

  it('keeps an event without its detail when that is no JSON', async () => {
    const { file, append } = create();
    append(event(1, { big: 1n }));
    await file.dispose();
    expect((await readEvents(path)).events).toEqual([event(1)]);
  });
});

const started = toldEvent('started', {});

describe('EventLog', () => {
  it('keeps what happened, oldest first, and tells its listeners', async () => {
    const clock = createFakeClock();
    const log = new EventLog({ wallClock: clock, launchId: 'a1' });
    const heard: PanelEvent[] = [];
    log.appended.subscribe((event) => heard.push(event));
    log.append('files', toldEvent('started', { pid: 7 }));
    await clock.advance(5);
    log.append(null, toldEvent('config-changed', {}));
    expect(log.events).toMatchObject([
      { at: 1_800_000_000_000, server: 'files', kind: 'started', detail: { pid: 7 } },
      { at: 1_800_000_000_005, server: null, kind: 'config-changed', detail: {} },
    ]);
    expect(heard).toEqual(log.events);
  });

  it('keeps the order and the uniqueness of ids over launches and any jumps of the clock', () => {
    const jump = fc.integer({ min: 0, max: 4_000_000_000_000 });
    const launch = fc.tuple(jump, fc.array(fc.option(jump, { freq: 2 }), { maxLength: 8 }));
    fc.assert(
      fc.property(fc.array(launch, { maxLength: 6 }), (launches) => {
        const clock = createFakeClock();
        let earlier: readonly PanelEvent[] = [];
        launches.forEach(([startMs, events], index) => {
          clock.setEpochMs(startMs);
          // Launch ids fall, so that an order by accident of their letters shows.
          const launchId = `z${9 - index}`;
          const log = new EventLog({ wallClock: clock, launchId, earlier });
          for (const setTo of events) {
            if (setTo !== null) clock.setEpochMs(setTo);
            log.append('s', started);
          }
          earlier = log.events;
        });
        const ids = earlier.map(({ id }) => id);
        expect([...ids].sort()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  it('is not put out by an earlier event whose id is not one of ours', () => {
    const strange: PanelEvent = { id: 'x', at: 5, server: null, ...started };
    const log = new EventLog({ wallClock: createFakeClock(), launchId: 'a', earlier: [strange] });
    expect(log.append(null, started).id).toMatch(/^\d{14}-\d{8}-a$/);
  });
});
