import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { causeChain } from '../../../electron/core/story/cause-chain.ts';
import { readRuns } from '../../../electron/core/story/run-ends.ts';
import { tellEnd } from '../../../electron/core/story/tell-end.ts';
import type { PanelEvent } from '../../../shared/domain.ts';
import type { EndCause } from '../../../shared/restart-story.ts';
import { MINUTE_MS, StoryWriter } from './story-builders.ts';

const causesOf = (writer: StoryWriter): EndCause[] => readRuns(writer.events).ends.map(({ cause }) => cause);
const chainOf = (writer: StoryWriter): string[] =>
  causeChain(readRuns(writer.events).ends.at(-1)!).map(({ role, kind }) => `${role} ${kind}`);

/** What can happen to a server that is up, with the end that follows from it; none where it lives on. */
const happenings: Readonly<Record<string, { act: (writer: StoryWriter) => unknown; cause?: EndCause }>> = {
  crash: { act: (writer) => void writer.crashAfter(0), cause: 'crash' },
  limit: { act: (writer) => void writer.limitAfter(0), cause: 'limit' },
  stall: {
    act: (writer) => {
      writer.add('suspect', { generation: writer.generation });
      writer.add('stalled', { generation: writer.generation, isEnding: true });
      writer.add('force-killed', { pids: [1] });
      writer.add('restart-scheduled', { cause: 'stall' });
    },
    cause: 'stall',
  },
  'restart by a person': {
    act: (writer) => void writer.add('ended', { generation: writer.generation, by: 'person' }),
    cause: 'request',
  },
  'stop by a person': {
    act: (writer) => void writer.add('stopped', { generation: writer.generation, by: 'person' }),
    cause: 'request',
  },
  edit: {
    act: (writer) => {
      writer.add('config-changed', { change: 'edited', fields: ['env.LEVEL'], restarts: true });
      writer.add('ended', { generation: writer.generation, by: 'configuration' });
    },
    cause: 'configuration',
  },
  quit: {
    act: (writer) => {
      writer.add('panel-quit', {}, null);
      writer.add('stopped', { generation: writer.generation, by: 'panel' });
      writer.generation = 0;
      writer.add('panel-started', {}, null);
    },
    cause: 'panel-quit',
  },
  'kill of the panel': {
    act: (writer) => {
      writer.generation = 0;
      writer.add('panel-started', { endedUncleanly: true }, null);
    },
    cause: 'panel-lost',
  },
  doubt: {
    act: (writer) => {
      writer.add('suspect', { generation: writer.generation });
      writer.add('recovered', { generation: writer.generation });
    },
  },
  'stall that is only told': {
    act: (writer) => {
      writer.add('stalled', { generation: writer.generation });
      writer.add('recovered', { generation: writer.generation });
    },
  },
  sleep: {
    act: (writer) => {
      writer.add('slept', { generation: writer.generation, why: 'idle' });
      return writer.up(undefined, 'woken');
    },
  },
  wake: { act: (writer) => void writer.add('system-resumed', { sleptMs: 1000 }, null) },
  noise: { act: (writer) => void writer.add('protocol-noise', { count: 1 }) },
};

const lives = fc.array(
  fc.record({
    happening: fc.constantFrom(...Object.keys(happenings)),
    afterMs: fc.integer({ min: 1, max: 1e7 }),
  }),
  { maxLength: 30 },
);

/** The cause that an event names by itself, where the one that told the end is lost. */
function saidBy({ kind, detail }: PanelEvent): unknown {
  if (kind === 'panel-quit') return 'panel-quit';
  if (kind === 'panel-started') return detail.endedUncleanly === true ? 'panel-lost' : undefined;
  return 'cause' in detail ? detail.cause : undefined;
}

/** Lets the life pass, and gives its ends as who wrote it knows them. */
function live(life: readonly { happening: string; afterMs: number }[]) {
  const writer = new StoryWriter();
  writer.add('panel-started', {}, null);
  let began = writer.up();
  const ends: { cause: EndCause; uptimeMs: number }[] = [];
  for (const { happening, afterMs } of life) {
    const { act, cause } = happenings[happening]!;
    writer.pass(afterMs);
    const at = writer.now;
    act(writer);
    if (happening === 'sleep') began = writer.events.at(-1)!;
    if (cause === undefined) continue;
    ends.push({ cause, uptimeMs: at - began.at });
    writer.pass(1000);
    began = writer.up(undefined, 'restarted');
  }
  return { writer, ends };
}

describe('the ends of runs', () => {
  it('are each told once, with their cause and how long the run was up, whatever happens in between', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const { writer, ends } = live(life);
        const found = readRuns(writer.events).ends.map(tellEnd);
        expect(found.map(({ cause, uptimeMs }) => ({ cause, uptimeMs }))).toEqual(ends);
        expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      }),
    );
  });

  it('have chains of events that exist, in their order, none twice', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const { writer } = live(life);
        const ids = new Set(writer.events.map(({ id }) => id));
        for (const { chain } of readRuns(writer.events).ends.map(tellEnd)) {
          const told = chain.map(({ eventId }) => eventId);
          expect(told.length).toBeGreaterThan(0);
          expect(told.every((id) => ids.has(id))).toBe(true);
          expect(told).toEqual([...new Set(told)].sort());
        }
      }),
    );
  });

  it('get no cause from the loss of events: each is told as before, as unknown, or not at all', () => {
    fc.assert(
      fc.property(lives, fc.infiniteStream(fc.boolean()), (life, keeps) => {
        const { writer } = live(life);
        const kept = writer.events.filter(() => keeps.next().value === true);
        const causes = new Map(readRuns(writer.events).ends.map(({ event, cause }) => [event.id, cause]));
        for (const { event, cause } of readRuns(kept).ends)
          expect([causes.get(event.id) ?? saidBy(event), 'unknown']).toContain(cause);
      }),
    );
  });

  it('stay the same when the oldest events are gone, but for the first run of which nothing else is kept', () => {
    fc.assert(
      fc.property(lives, fc.nat(40), (life, lost) => {
        const { writer } = live(life);
        const all = readRuns(writer.events).ends.map(({ id, cause }) => `${id} ${cause}`);
        const kept = readRuns(writer.events.slice(lost)).ends.map(({ id, cause }) => `${id} ${cause}`);
        expect(kept.slice(1)).toEqual(all.slice(all.length - Math.max(0, kept.length - 1)));
      }),
    );
  });

  it('of a further process are its own, and named by it', () => {
    const writer = new StoryWriter();
    writer.up();
    writer.add('started', { generation: 1, instance: 'memory#2' });
    writer.pass(MINUTE_MS).add('crashed', { generation: 1, instance: 'memory#2', exitCode: 1 });
    writer.pass(MINUTE_MS).crashAfter(0);
    const ends = readRuns(writer.events).ends.map(tellEnd);
    expect(ends.map(({ instance, uptimeMs }) => [instance, uptimeMs])).toEqual([
      ['memory#2', MINUTE_MS],
      [undefined, 2 * MINUTE_MS],
    ]);
  });

  it('of all processes at the quit of the panel are that quit, also where their sessions ended first', () => {
    const writer = new StoryWriter();
    writer.up();
    writer.add('started', { generation: 1, instance: 'memory#2' });
    writer.add('panel-quit', {}, null);
    writer.add('stopped', { generation: 1, instance: 'memory#2', by: 'session' });
    writer.add('panel-started', {}, null);
    expect(causesOf(writer)).toEqual(['panel-quit', 'panel-quit']);
  });

  it('are read from the decisions of earlier versions, which told no end of their own', () => {
    const writer = new StoryWriter();
    writer.up();
    writer.pass(MINUTE_MS).add('limit-breached', { limit: 'memory', generation: 1 });
    writer.add('restart-scheduled', { cause: 'limit' });
    writer.up();
    writer.pass(MINUTE_MS).add('stopped', { generation: 2 });
    expect(causesOf(writer)).toEqual(['limit', 'unknown']);
    expect(tellEnd(readRuns(writer.events).ends[0]!).limit).toBe('memory');
  });
});

describe('the chain of causes', () => {
  it('leads from the first doubt to what came of the end', () => {
    const writer = new StoryWriter();
    writer.up();
    happenings['stall']!.act(writer);
    writer.up(undefined, 'restarted');
    writer.add('protocol-noise', {});
    expect(chainOf(writer)).toEqual([
      'sign suspect',
      'end stalled',
      'after force-killed',
      'after restart-scheduled',
      'after restarted',
    ]);
  });

  it('leaves out doubts that were cleared, and what was long ago', () => {
    const writer = new StoryWriter();
    writer.up();
    writer.add('suspect');
    writer.add('recovered');
    writer.add('system-resumed', {}, null);
    writer.add('config-changed', { change: 'edited' });
    writer.crashAfter(20 * MINUTE_MS);
    expect(chainOf(writer)).toEqual(['end crashed', 'after restart-scheduled']);
  });

  it('names the wake of the machine, the edit and the new version that stood before a crash', () => {
    const writer = new StoryWriter();
    writer.add('config-changed', { change: 'edited', restarts: true });
    writer.up('1.3');
    writer.add('server-version-changed', { from: '1.2', to: '1.3' });
    writer.add('system-resumed', {}, null);
    writer.crashAfter(MINUTE_MS);
    expect(chainOf(writer)).toEqual([
      'sign config-changed',
      'sign server-version-changed',
      'sign system-resumed',
      'end crashed',
      'after restart-scheduled',
    ]);
  });

  it('says of a panel that was killed that the run had ended by the next start', () => {
    const writer = new StoryWriter();
    writer.up();
    writer.pass(MINUTE_MS).add('panel-started', { endedUncleanly: true }, null);
    writer.add('orphan-reaped', { pids: [7] });
    const end = tellEnd(readRuns(writer.events).ends[0]!);
    expect(end).toMatchObject({ cause: 'panel-lost', isAtLatest: true });
    expect(chainOf(writer)).toEqual(['after panel-started', 'after orphan-reaped']);
  });
});

describe('what is told of an end', () => {
  it('has the figures, the calls with their callers, and the last of stderr, as far as they are told', () => {
    const writer = new StoryWriter();
    writer.up('1.2');
    const limits = { maxMemoryMiB: 1024, maxCpuPercent: 80, maxOpenFiles: 1000 };
    writer.crashAfter(MINUTE_MS, {
      stderrTail: 'out of luck',
      inUse: { at: 5, memoryBytes: 7, processCount: 2, limits },
      calls: [
        { method: 'tools/call', target: 'search', ageMs: 40, by: 'client', client: 'Editor' },
        { method: 'tools/list', by: 'panel', isGivenUp: true },
        {},
      ],
      callsTotal: 60,
    });
    expect(tellEnd(readRuns(writer.events).ends[0]!)).toMatchObject({
      version: '1.2',
      generation: 1,
      stderr: 'out of luck',
      figures: { memoryBytes: 7, limits },
      calls: [
        { method: 'tools/call', target: 'search', ageMs: 40, by: 'client', client: 'Editor' },
        { method: 'tools/list', by: 'panel', isGivenUp: true },
      ],
      callsLeftOut: 58,
    });
  });

  it('survives details of any form', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('calls', 'inUse', 'stderrTail', 'generation', 'limit', 'by'),
          fc.anything(),
        ),
        (detail) => {
          const writer = new StoryWriter();
          writer.up();
          for (const kind of ['stalled', 'limit-breached', 'ended', 'crashed'] as const)
            writer.add(kind, detail);
          for (const end of readRuns(writer.events).ends)
            expect(tellEnd(end).chain.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});
