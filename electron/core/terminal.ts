/** Output for the process that launched the panel: states on stdout, notices on stderr, one line each. */
export interface Terminal {
  readonly state: (line: string) => void;
  readonly notice: (line: string) => void;
}

/** Creates the terminal output. Its functions never throw, even if the program that read the pipe has ended. */
export function createTerminal(stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): Terminal {
  // Without a listener, the error of a closed pipe (EPIPE) would end the panel, and with it the supervision of the servers.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return {
    state: (line) => void stdout.write(`${oneLine(line)}\n`),
    notice: (line) => void stderr.write(`${oneLine(line)}\n`),
  };
}

/** Replaces line breaks and control characters in texts from servers by spaces, because a terminal would act on them. */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').trim();
}
