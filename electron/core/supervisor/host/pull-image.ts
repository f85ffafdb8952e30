import { parsedJson } from '../../../../shared/parsed.ts';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Clock, Disposable } from '../../clock.ts';
import { EngineRefusal, type EngineApi } from '../../platform/containers/engine-api.ts';
import { imageNameOf, registryAuthOf, type AuthDeps } from '../../platform/containers/registry-auth.ts';
import { ImagePull } from '../start/image-pull.ts';

export interface PullOptions extends AuthDeps {
  readonly api: EngineApi;
  readonly clock: Clock;
  readonly image: string;
  /** Cancels the pull, also at the engine. */
  readonly signal: AbortSignal | undefined;
  /** Called with the state of the pull, as text, which counts as progress; undefined at its end. */
  readonly onPulling: (words: string | undefined) => void;
}

const reportSchema = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional() }).optional(),
  error: z.string().optional(),
});
/** Milliseconds between two states of a pull, of which an engine tells many a second. */
const TELL_MS = 500;
/** Milliseconds for the first report: the engine asks the registry before. */
const BEGIN_LIMIT_MS = 60_000;

/** Has an engine pull an image, with the person's sign-in at its registry. @throws EngineRefusal with the words of the registry */
export async function pullImage({
  api,
  clock,
  image,
  signal,
  onPulling,
  ...deps
}: PullOptions): Promise<void> {
  const { query, registry } = imageNameOf(image);
  const auth = await registryAuthOf(registry, deps);
  const pull = new ImagePull(image);
  pull.report({});
  onPulling(pull.words);
  let telling: Disposable | undefined;
  const tell = () => {
    telling = undefined;
    onPulling(pull.words);
  };
  let problem: string | undefined;
  try {
    const reports = await api.stream(`/images/create?${query}`, {
      method: 'POST',
      limitMs: BEGIN_LIMIT_MS,
      headers: { 'Content-Length': '0', ...(auth !== undefined && { 'X-Registry-Auth': auth }) },
    });
    await eachLine(reports, signal, (line) => {
      const { data: report } = reportSchema.safeParse(parsedJson(line));
      if (report === undefined) return;
      problem ??= report.error;
      pull.report(report);
      // An engine that waits reports nothing more, so the last state is told, too.
      telling ??= clock.setTimeout(tell, TELL_MS);
    });
  } finally {
    telling?.dispose();
    onPulling(undefined);
  }
  // The status of the answer was sent before the pull began.
  if (problem !== undefined) throw new EngineRefusal(problem);
}

/** Passes on each line of a stream until its end, or until `signal` breaks it. @throws if it breaks */
async function eachLine(
  stream: Readable,
  signal: AbortSignal | undefined,
  onLine: (line: string) => void,
): Promise<void> {
  const leave = () => void stream.destroy(new Error('the start was given up'));
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  try {
    await new Promise<void>((resolve, reject) => {
      stream.once('end', resolve).on('error', reject);
      createInterface(stream)
        .on('line', onLine)
        .on('error', () => undefined);
    });
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}
