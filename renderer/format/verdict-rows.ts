/** The rules by which silence is judged, in their order; the first one that fits decides. */
const meanings: readonly string[] = [
  'The panel itself was late, or the machine slept, so the silence was not held against the server.',
  'A debugger is attached, so no check counts.',
  'Every process that holds its pipes is stopped by a signal, and a check is unanswered.',
  'It sent something, or answered a check, within the time allowed.',
  'A check that was sent while it had nothing else to do stayed unanswered for the whole time allowed.',
  'It is known to answer checks during a call, and now it does not. That makes it suspect; after twice the time, with a second kind of check unanswered too, it counts as not responding.',
  'It is at work and was never seen to answer a check during a call, so its silence proves nothing.',
  'All its calls are past their deadlines, and one more check stayed unanswered.',
  'No kind of check works with it and no call is open, so nothing is known of its health.',
  'It sent something, but owes the answer to a check that was sent while it had nothing else to do: nothing is known of its health.',
];

/** "Rule 4: …", or undefined for a rule that does not exist. */
export function describeVerdictRow(row: number | undefined): string | undefined {
  const meaning = row === undefined ? undefined : meanings[row];
  return meaning === undefined ? undefined : `Rule ${row}: ${meaning}`;
}
