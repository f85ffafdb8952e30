/** Line that reports a server's new state, the only kind on stdout of `npm start`: `<ISO time> <server> <state kind> [reason]` */
const STATE_LINE =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z [A-Za-z0-9._-]{1,64} (stopped|starting|running|suspect|stalled|backoff|stopping|failed)( .*)?$/;

/** Messages that Chromium prints if there is no session bus, GPU or sound card. They do not affect the panel. */
const HARMLESS = [
  /:ERROR:[\w./-]{0,200}\bbus\.cc\(\d+\)\] Failed to connect to the bus/,
  /:ERROR:[\w./-]{0,200}\bobject_proxy\.cc\(\d+\)\] Failed to call method: org\.freedesktop\./,
  /:(ERROR|WARNING):[\w./-]{0,200}\b(viz_main_impl|gpu_\w+|gl_\w+|angle_\w+|vaapi_\w+|command_buffer_proxy_impl)\.cc\(\d+\)\]/,
  /:(ERROR|WARNING):[\w./-]{0,200}\b(alsa_util|pulse_\w+)\.cc\(\d+\)\]/,
  /^(libva|MESA|libEGL|ALSA lib)\b/,
];

export function isStateLine(/** @type {string} */ line) {
  return STATE_LINE.test(line);
}

export function isHarmless(/** @type {string} */ line) {
  return HARMLESS.some((pattern) => pattern.test(line));
}

/** Maximum characters of a line. A longer line is passed on in pieces, so that it does not fill the memory. */
const LINE_LIMIT = 64 * 1024;

/**
 * Calls `onLine` for each line of the stream, without its line ending. An unfinished last line is included.
 * @param {import('node:stream').Readable} stream
 * @param {(line: string) => void} onLine
 */
export function eachLine(stream, onLine) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (/** @type {string} */ text) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    lines.forEach(onLine);
    if (rest.length > LINE_LIMIT) {
      onLine(rest);
      rest = '';
    }
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}
