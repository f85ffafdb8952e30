import { ownValue } from '../../shared/own-value.ts';
/** Rules by which silence is judged, by their number in the verdict table. */
const meanings: Readonly<Record<string, string>> = {
  '0': 'The panel itself was late, or the machine slept, so the silence was not held against the server.',
  '1': 'A debugger is attached, so no check counts.',
  '2': 'The process that would have to answer is stopped by a signal, and a check is unanswered.',
  '3': 'It sent something, or answered a check, within the time allowed.',
  '4': 'A check that was sent while it had nothing else to do stayed unanswered for the whole time allowed, and it used next to no CPU meanwhile.',
  '4b': 'A check that was sent while it had nothing else to do stayed unanswered, and it has been computing since: a server that loads something is given more time for that.',
  '5': 'It had been sending messages at even intervals, and fell silent during a call. That makes it suspect; after twice the time, with every kind of check unanswered too, it counts as not responding.',
  '5b': 'It answered a check during this very call, and now it does not. That makes it suspect; it counts as not responding only where its configuration says so.',
  '6': 'It is at work and has answered no check during this call, so its silence proves nothing.',
  '7': 'All its calls are past their deadlines, nothing was answered since, and one more check stayed unanswered.',
  '8': 'No kind of check works with it and no call is open, so nothing is known of its health.',
  '9': 'It sent something, but owes the answer to a check that was sent while it had nothing else to do: nothing is known of its health.',
};

/** Words for a rule, without its number, which says nothing to a person; undefined for one that does not exist. */
export function describeVerdictRow(row: number | string | undefined): string | undefined {
  return ownValue(meanings, String(row));
}
