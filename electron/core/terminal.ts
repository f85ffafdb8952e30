/** What a launcher reads: states on stdout, notices on stderr, one line each. */
export interface Terminal {
  readonly state: (line: string) => void;
  readonly notice: (line: string) => void;
}

/** Never throws, also when the reader of the pipe has gone. */
export function createTerminal(stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): Terminal {
  // A closed pipe (EPIPE) is no reason to stop supervising: whoever read us is gone, and nobody else can be told.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return {
    state: (line) => void stdout.write(`${oneLine(line)}\n`),
    notice: (line) => void stderr.write(`${oneLine(line)}\n`),
  };
}

/** Texts of servers may hold line breaks and escape sequences, which a terminal would obey. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
