import type { Day } from '../../../electron/core/trends/line.ts';
import { SeededRandom } from '../../soak/random.ts';

export const MIB = 1024 ** 2;
export const HOUR_MS = 3_600_000;
export const DAY_HOURS = 24;
export const LIMIT_MIB = 1024;
const DAYS = 45;

/** Memory in MiB at each hour, before noise. */
type Shape = (hour: number) => number;

interface Noise {
  readonly random: SeededRandom;
  readonly days: number;
  /** Noise of a single hour in MiB; a third of it wanders over hours, as the heap of a runtime does. */
  readonly noiseMiB: number;
  /** Height of the hump of each afternoon in MiB. */
  readonly swingMiB?: number;
}

const gauss = (random: SeededRandom): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

function hoursOf(shape: Shape, { random, days, noiseMiB, swingMiB = 0 }: Noise): readonly Day[] {
  let wanderMiB = 0;
  return Array.from({ length: days * DAY_HOURS }, (_, hour) => {
    wanderMiB = 0.9 * wanderMiB + gauss(random) * noiseMiB * 0.3;
    const hump = Math.max(0, Math.sin(((hour - 6) / DAY_HOURS) * 2 * Math.PI));
    const min = Math.max(
      1,
      shape(hour) + wanderMiB + Math.abs(gauss(random)) * noiseMiB * 0.7 + swingMiB * hump,
    );
    const max = min + Math.abs(gauss(random)) * noiseMiB;
    return { at: hour * HOUR_MS, min: min * MIB, max: max * MIB };
  });
}

const sometimes = (random: SeededRandom, value: number): number => (random.next() < 0.5 ? value : 0);

function weekly(random: SeededRandom, base: number): Shape {
  const [height, phase] = [base * random.between(0.2, 0.9), random.between(0, 168)];
  const wave = (hour: number) => Math.sin(((hour + phase) / 168) * 2 * Math.PI);
  const isWorkday = (hour: number) => (hour + phase) % 168 < 5 * DAY_HOURS;
  return (
    random.pick<Shape>([
      (hour) => base + height * (1 + wave(hour)),
      (hour) => base + (isWorkday(hour) ? height : 0),
      (hour) => base + height * Math.max(0, wave(hour)),
    ]) ?? (() => base)
  );
}

/** Two to seven steps at any time, in half of the histories only upward. */
function stepwise(random: SeededRandom, base: number): Shape {
  const isUp = random.next() < 0.5;
  const steps = Array.from({ length: Math.floor(random.between(2, 8)) }, () => ({
    at: random.between(0, DAYS * DAY_HOURS),
    by: base * random.between(0.1, 0.6) * (isUp || random.next() < 0.5 ? 1 : -0.5),
  }));
  return (hour) =>
    Math.max(
      20,
      steps.reduce((sum, { at, by }) => (at <= hour ? sum + by : sum), base),
    );
}

/** Growth that each restart resets, after about the same time. */
function saws(random: SeededRandom, base: number, toothHours: number): Shape {
  const perHour = Math.min(random.between(1, 8), (0.85 * LIMIT_MIB - base) / (1.3 * toothHours));
  let [start, length] = [0, toothHours];
  return (hour) => {
    if (hour - start > length) [start, length] = [hour, toothHours * random.between(0.7, 1.3)];
    return base + perHour * (hour - start);
  };
}

export interface MadeUp {
  readonly hours: readonly Day[];
  /** Hour of the day at which it is looked at. */
  readonly looksAt: number;
  /** Days at the beginning for which nothing is expected: until a first restart has shown that the growth ends. */
  readonly openDays: number;
}

type Kind = (random: SeededRandom) => { readonly hours: readonly Day[]; readonly openDays?: number };

const steady = (random: SeededRandom, shapeOf: (base: number) => Shape, most = 0.05): ReturnType<Kind> => {
  const base = random.between(40, 300);
  const shape = shapeOf(base);
  const noiseMiB = base * random.between(0.003, most);
  return { hours: hoursOf(shape, { random, days: DAYS, noiseMiB, swingMiB: sometimes(random, 0.3 * base) }) };
};

/** Kinds of histories without a trend. */
export const kinds: Readonly<Record<string, Kind>> = {
  flat: (random) => steady(random, (base) => () => base, 0.12),
  daily: (random) => {
    const base = random.between(40, 500);
    const [noiseMiB, swingMiB] = [base * random.between(0.005, 0.06), base * random.between(0.2, 1)];
    return { hours: hoursOf(() => base, { random, days: DAYS, noiseMiB, swingMiB }) };
  },
  weekly: (random) => steady(random, (base) => weekly(random, base)),
  stepwise: (random) => steady(random, (base) => stepwise(random, base)),
  'with one jump': (random) =>
    steady(random, (base) => {
      const [at, by] = [random.between(0, DAYS * DAY_HOURS), base * random.between(0.2, 1.5)];
      return (hour) => (hour > at ? base + by : base);
    }),
  'of restarts': (random) => {
    const isShort = random.next() < 0.6;
    const toothHours = isShort ? random.between(6, 72) : random.between(5, 12) * DAY_HOURS;
    const openDays = isShort ? 0 : Math.ceil(toothHours / DAY_HOURS) + 1;
    return { ...steady(random, (base) => saws(random, base, toothHours)), openDays };
  },
};

export function madeUp(kind: Kind, seed: number): MadeUp {
  const random = new SeededRandom(seed);
  const looksAt = Math.floor(random.between(0, DAY_HOURS));
  return { looksAt, openDays: 0, ...kind(random) };
}

export interface Leak {
  readonly hours: readonly Day[];
  readonly startsAt: number;
  readonly reachesLimitAt: number;
}

/** Leak that takes 12 to 60 days from its start to the limit; some are fast on one day and slow on another, or rest at weekends. */
export function madeUpLeak(seed: number): Leak {
  const random = new SeededRandom(seed);
  const base = random.between(40, 400);
  const [leakDays, quietDays] = [
    random.between(12, 60),
    random.next() < 0.3 ? Math.floor(random.between(5, 20)) : 0,
  ];
  const perHour = (LIMIT_MIB - base) / (leakDays * DAY_HOURS);
  const habit = random.pick(['even', 'uneven', 'workdays'] as const);
  let [grown, pace] = [0, 1];
  const shape: Shape = (hour) => {
    if (hour < quietDays * DAY_HOURS) return base;
    const day = Math.floor(hour / DAY_HOURS);
    if (habit === 'uneven' && hour % DAY_HOURS === 0) pace = random.between(0.6, 1.4);
    if (habit === 'workdays') pace = day % 7 < 5 ? 1.4 : 0;
    grown += perHour * pace;
    return base + grown;
  };
  const days = Math.ceil(quietDays + leakDays * 1.2);
  const swingMiB = sometimes(random, base * random.between(0, 0.3));
  const hours = hoursOf(shape, { random, days, noiseMiB: random.between(1, 15), swingMiB });
  const reached = hours.find(({ max }) => max >= LIMIT_MIB * MIB) ?? hours.at(-1)!;
  return { hours, startsAt: quietDays * DAY_HOURS * HOUR_MS, reachesLimitAt: reached.at };
}
