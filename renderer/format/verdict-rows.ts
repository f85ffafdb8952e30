import { ownValue } from '../../shared/own-value.ts';
/** Rules by which silence is judged, by their number in the verdict table. */
const meanings: Readonly<Record<string, string>> = {
  '0': 'The panel itself was late, or the machine slept, so the silence was not held against the server.',
  '1': 'A debugger holds the server process, so its silence is not held against it.',
  '2': 'The server process is stopped by a signal and has not run since, and a health check is unanswered.',
  '3': 'It sent something, or answered a health check, within the time allowed.',
  '4': 'A health check that was sent while it had nothing else to do stayed unanswered, and its processes used next to no CPU meanwhile. That makes it suspect; after twice the time allowed it counts as not responding.',
  '4b': 'A health check that was sent while it had nothing else to do stayed unanswered, and its processes have used CPU since, or the panel cannot see whether they have: a server that loads something is given more time.',
  '5b': 'It answered a health check during this very call, and now it does not. That makes it suspect; it counts as not responding only where its configuration says so.',
  '6': 'It is busy with a call and has never answered a health check while busy with it, so no answer means nothing.',
  '7': 'All its calls have timed out, and for twice the time allowed it has answered nothing since, one more health check included, and its processes used next to no CPU.',
  '7b': 'All its calls have timed out and it answers nothing, but its processes use CPU, or the panel cannot see whether they do: it is given more time.',
  '7c': 'All its calls have timed out, but it answers health checks.',
  '8': 'It answers no kind of health check and no call is open, so nothing is known of its health.',
  '9': 'It sent something, but has not answered a health check that was sent while it had nothing else to do: nothing is known of its health.',
};

/** Words for a rule, without its number, which says nothing to a person; undefined for one that does not exist. */
export function describeVerdictRow(row: number | string | undefined): string | undefined {
  return ownValue(meanings, String(row));
}
