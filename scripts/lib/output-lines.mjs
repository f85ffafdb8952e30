/** State line, `<ISO time> <server> <state kind> [reason]`: the only content of `npm start`'s stdout. */
const STATE_LINE =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z [A-Za-z0-9._-]{1,64} (stopped|starting|running|suspect|stalled|backoff|stopping|failed)( .*)?$/;

/** Messages of Chromium without a session bus, a GPU or a sound card, which are no problem for the panel. */
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

/** Maximum characters of a line; a longer one is passed on in pieces, so that it costs no memory. */
const LINE_LIMIT = 64 * 1024;

/**
 * Calls `onLine` for each line of the stream, without its line end, including an unfinished last one.
 * @param {import('node:stream').Readable} stream @param {(line: string) => void} onLine
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
