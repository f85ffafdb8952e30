/** Output for the process that launched the panel: states on stdout, notices on stderr, one line each. */
export interface Terminal {
  readonly state: (line: string) => void;
  readonly notice: (line: string) => void;
}

/** Creates the terminal. It never throws, even when the reader of the pipe has gone. */
export function createTerminal(stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): Terminal {
  // A closed pipe (EPIPE) must not stop supervision.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return {
    state: (line) => void stdout.write(`${oneLine(line)}\n`),
    notice: (line) => void stderr.write(`${oneLine(line)}\n`),
  };
}

/** Replaces line breaks and control characters in texts of servers, because a terminal would execute them. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
