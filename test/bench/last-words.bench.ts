/**
 * Last answers of servers: each of 1000 writes an answer and exits in the same tick, in three sizes, a third
 * of them each on a free loop, on a busy one, and with a child that goes on holding their stdout. Prints how
 * many answers were lost, and one line of JSON last; exit code 1 when one was. `--count=N` takes another
 * number of servers.
 */
import { lostAnswers } from '../core/supervisor/parting-servers.ts';
import { figure, numberFlag, report, type Figure } from './harness/figures.ts';

const SIZES = [
  { size: '60 kB', bytes: 60_000 },
  { size: '1 MB', bytes: 1_000_000 },
  { size: '8 MB', bytes: 8_000_000 },
];
const WAYS = [
  { how: 'free loop', isHeld: false, isBusy: false },
  { how: 'busy loop', isHeld: false, isBusy: true },
  { how: 'busy loop, stdout held by a child', isHeld: true, isBusy: true },
];
const AT_ONCE = 3;

const total = numberFlag('count', 1000);
const parts = SIZES.flatMap((size) => WAYS.map((way) => ({ ...size, ...way })));

const figures: Figure[] = [];
const problems: string[] = [];
for (const [index, { size, bytes, how, isHeld, isBusy }] of parts.entries()) {
  const count = Math.floor((total + index) / parts.length);
  console.error(`asking ${count} servers for ${size}, ${how}`);
  const lost = await lostAnswers({ count, bytes, isHeld, isBusy, atOnce: AT_ONCE });
  figures.push(figure(`${size}, ${how}, lost of ${count}`, 'answers', lost.length, 0));
  problems.push(...new Set(lost));
}
report('last-words', figures, problems);
