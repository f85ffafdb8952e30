import { groupsOf } from './groups.ts';
import type { Finding } from './judge.ts';
import type { ProcessSample, SoakRecord } from './record.ts';
import { slopePerMinute } from './slope.ts';

/** How one of the panel's own processes grew over the second half, in which it was not killed. */
export interface Growth {
  readonly role: string;
  readonly samples: number;
  readonly rssMiB: number;
  readonly rssKiBPerMinute: number;
  readonly heapKiBPerMinute?: number;
  readonly descriptors?: readonly [first: number, last: number];
  readonly timers?: readonly [first: number, last: number];
}

const KIB = 1024;
/** A shorter time says more about compilers and caches than about leaks. */
const JUDGED_MS = 8 * 60_000;
const MAX_RSS_KIB_PER_MINUTE = 1024;
/** An hour of samples of twenty servers fills up at about a third of it. */
const MAX_HEAP_KIB_PER_MINUTE = 300;
const MAX_MORE_DESCRIPTORS = 20;
const MAX_MORE_TIMERS = 60;

/** Growth of each process that lived through the second half. */
export function growthOf({ samples, startedAt, endedAt }: SoakRecord): readonly Growth[] {
  const half = samples.filter(({ at }) => at >= startedAt + (endedAt - startedAt) / 2);
  return [...groupsOf(half, ({ role, pid }) => `${role} ${pid}`).values()]
    .filter((list) => list.length > 2)
    .map(growthOfProcess);
}

function growthOfProcess(list: readonly ProcessSample[]): Growth {
  const of = (figure: 'rssBytes' | 'heapBytes' | 'descriptors' | 'timers') =>
    list.flatMap((sample) => {
      const value = sample[figure];
      return value === undefined ? [] : [{ at: sample.at, value }];
    });
  const ends = (points: readonly { readonly value: number }[]) =>
    points.length < 2 ? undefined : ([points[0]!.value, points.at(-1)!.value] as const);
  const [heap, descriptors, timers] = [of('heapBytes'), ends(of('descriptors')), ends(of('timers'))];
  return {
    role: list[0]!.role,
    samples: list.length,
    rssMiB: list.at(-1)!.rssBytes / KIB ** 2,
    rssKiBPerMinute: slopePerMinute(of('rssBytes')) / KIB,
    ...(heap.length > 2 && { heapKiBPerMinute: slopePerMinute(heap) / KIB }),
    ...(descriptors && { descriptors }),
    ...(timers && { timers }),
  };
}

/** What grows more than it may; memory is judged where it was watched for long enough. */
export function judgeGrowth(record: SoakRecord): readonly Finding[] {
  const isLong = (record.endedAt - record.startedAt) / 2 >= JUDGED_MS;
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
