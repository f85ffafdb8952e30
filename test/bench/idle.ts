/**
 * The panel left alone: 40 servers, of which 20 fail in several ways, in the real app with a tray. `--minutes=N` (or
 * `--minutes N`, default 10): the window is shown for the first third and hidden from then on. Prints a table and one line of
 * JSON last; exit code 1 when a budget is missed. Runs only when it is named: `npm run bench -- idle --minutes 60`.
 */
import { measureIdle } from './idle/measure.ts';
import { numberFlag, report } from './harness/figures.ts';

report('idle', await measureIdle(numberFlag('minutes', 10)));
