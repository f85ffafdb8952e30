import { groupBy } from '../../shared/group-by.ts';
import type { Finding } from './judge.ts';
import type { ProcessSample, SoakRecord } from './record.ts';
import { slopePerMinute, type Point } from '../bench/harness/figures.ts';

/**
 * How one of the panel's own processes grew: descriptors and timers over the second half, in which it was not killed; memory
 * over the last quarter, because what is kept on purpose (contents of messages, samples, lines) has filled up by then.
 */
export interface Growth {
  readonly role: string;
  readonly samples: number;
  readonly rssMiB: number;
  /** NaN where there was too little time. */
  readonly rssKiBPerMinute: number;
  readonly heapKiBPerMinute?: number;
  readonly descriptors?: readonly [first: number, last: number];
  readonly timers?: readonly [first: number, last: number];
}

const KIB = 1024;
/** A shorter time says more about compilers and caches than about leaks. */
const JUDGED_MS = 8 * 60_000;
const MAX_RSS_KIB_PER_MINUTE = 1024;
const MAX_HEAP_KIB_PER_MINUTE = 300;
/** Part of the time after which memory is looked at. */
const FILLED_PART = 3 / 4;
const MAX_MORE_DESCRIPTORS = 20;
const MAX_MORE_TIMERS = 60;

/** Growth of each process that lived through the second half. */
export function growthOf({ samples, startedAt, endedAt }: SoakRecord): readonly Growth[] {
  const after = (part: number) => startedAt + (endedAt - startedAt) * part;
  const half = samples.filter(({ at }) => at >= after(1 / 2));
  return [...groupBy(half, ({ role, pid }) => `${role} ${pid}`).values()]
    .filter((list) => list.length > 2)
    .map((list) => growthOfProcess(list, after(FILLED_PART)));
}

/** Memory of each process, about once a minute, for whoever wants to see its course. */
export function memoryCourse({ samples, startedAt }: SoakRecord) {
  const minutes = groupBy(samples, ({ role, pid, at }) => `${role} ${pid} ${minuteOf(at - startedAt)}`);
  return [...minutes.values()].map((list) => {
    const { role, pid, at, rssBytes } = list.at(-1)!;
    const heapBytes = list.findLast((sample) => sample.heapBytes !== undefined)?.heapBytes;
    return {
      minute: minuteOf(at - startedAt),
      role,
      pid,
      rssMiB: inMiB(rssBytes),
      ...(heapBytes !== undefined && { heapMiB: inMiB(heapBytes) }),
    };
  });
}

const minuteOf = (ms: number): number => Math.floor(ms / 60_000);
const inMiB = (bytes: number): number => Math.round((bytes / KIB ** 2) * 10) / 10;

function growthOfProcess(list: readonly ProcessSample[], filledAt: number): Growth {
  const of = (figure: 'rssBytes' | 'heapBytes' | 'descriptors' | 'timers') =>
    list.flatMap((sample) => {
      const value = sample[figure];
      return value === undefined ? [] : [{ at: sample.at, value }];
    });
  const ends = (points: readonly { readonly value: number }[]) =>
    points.length < 2 ? undefined : ([points[0]!.value, points.at(-1)!.value] as const);
  const [descriptors, timers] = [ends(of('descriptors')), ends(of('timers'))];
  const filled = (points: readonly Point[]) => points.filter(({ at }) => at >= filledAt);
  const heap = filled(of('heapBytes'));
  return {
    role: list[0]!.role,
    samples: list.length,
    rssMiB: list.at(-1)!.rssBytes / KIB ** 2,
    rssKiBPerMinute: slopePerMinute(filled(of('rssBytes'))) / KIB,
    ...(heap.length > 2 && { heapKiBPerMinute: slopePerMinute(heap) / KIB }),
    ...(descriptors && { descriptors }),
    ...(timers && { timers }),
  };
}

/** What grows more than it may; memory is judged where it was watched for long enough. */
export function judgeGrowth(record: SoakRecord): readonly Finding[] {
  const isLong = (record.endedAt - record.startedAt) * (1 - FILLED_PART) >= JUDGED_MS;
  return growthOf(record).flatMap(({ role, rssKiBPerMinute, heapKiBPerMinute = 0, descriptors, timers }) => {
    const more = (pair: readonly [number, number] | undefined) => (pair ? pair[1] - pair[0] : 0);
    const grown = [
      isLong &&
        rssKiBPerMinute > MAX_RSS_KIB_PER_MINUTE &&
        `memory by ${Math.round(rssKiBPerMinute)} KiB/min`,
      isLong &&
        heapKiBPerMinute > MAX_HEAP_KIB_PER_MINUTE &&
        `live heap by ${Math.round(heapKiBPerMinute)} KiB/min`,
      more(descriptors) > MAX_MORE_DESCRIPTORS && `descriptors by ${more(descriptors)}`,
      more(timers) > MAX_MORE_TIMERS && `timers by ${more(timers)}`,
    ];
    return grown.flatMap((words): readonly Finding[] =>
      words === false ? [] : [{ kind: 'growth', words: `${role} grew: ${words}` }],
    );
  });
}
