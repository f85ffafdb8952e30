import { pipeline } from 'node:stream';
import type { Spawner } from './spawner.ts';
import { readableText } from './windows/readable-text.ts';
import type { CodePages } from './windows/text-decoding.ts';

/** Has what children write to stderr arrive as UTF-8. What a batch file starts writes as cmd.exe does. */
export function readableSpawner(spawn: Spawner, codePages: () => Promise<CodePages>): Spawner {
  return async (request) => {
    const child = await spawn(request);
    const isBatch =
      request.found !== undefined && 'file' in request.found && /\.(?:cmd|bat)$/i.test(request.found.file);
    const text = readableText(async () => (await codePages())[isBatch ? 'console' : 'ansi']);
    // Whoever reads the text hears of a pipe that breaks by the end of it.
    pipeline(child.stderr, text, () => undefined);
    return { ...child, stderr: text };
  };
}
