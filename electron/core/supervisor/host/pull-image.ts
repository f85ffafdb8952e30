import { parsedJson } from '../../../../shared/parsed.ts';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { EngineRefusal, type EngineApi } from '../../platform/containers/engine-api.ts';
import type { EngineLink } from '../../platform/containers/engine-link.ts';
import { dockerFolder } from '../../platform/containers/engine-socket.ts';
import { imageNameOf, registryAuthOf, type AuthDeps } from '../../platform/containers/registry-auth.ts';
import type { HostedStart } from '../../platform/hosted-run.ts';
import type { Spawner, SpawnRequest } from '../../platform/spawner.ts';
import { asSentence } from '../../phrases.ts';
import { imageFailure } from '../diagnosis/container-failure.ts';
import { ImagePull } from '../start/image-pull.ts';

/**
 * The engine that pulls an image. `env` and `cwd` are the environment and folder in which the docker client's credential
 * helpers run; these helpers know the user's sign-in at the registry.
 */
interface PullPlace extends Pick<SpawnRequest, 'env' | 'cwd'> {
  readonly link: EngineLink;
  readonly clock: Clock;
  readonly spawner: Spawner;
  /** Text that says where the image is missing, such as "here". */
  readonly where: string;
}
export type PullingStart = Pick<HostedStart, 'request' | 'onPulling'>;

interface PullOptions extends AuthDeps {
  readonly api: EngineApi;
  readonly clock: Clock;
  readonly image: string;
  /** Cancels the pull on the panel's side and at the engine. */
  readonly signal: AbortSignal | undefined;
  /** Called with the state of the pull, which also shows that the start makes progress, and with undefined when it has ended. */
  readonly onPulling: (words: string | undefined) => void;
}

const reportSchema = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional() }).optional(),
  error: z.string().optional(),
});
/** Milliseconds between two reported states of a pull, because an engine sends many per second. */
const TELL_MS = 500;
/** Maximum milliseconds until the engine's first report. It takes a while, because the engine queries the registry first. */
const BEGIN_LIMIT_MS = 60_000;

/**
 * Makes the engine pull an image if the engine says that the image is missing. If the engine does not answer, the engine's
 * client pulls the image later. @throws the same errors as `pullForStart`
 */
export async function pullIfMissing(place: PullPlace, image: string, start: PullingStart): Promise<void> {
  const path = image.split('/').map(encodeURIComponent).join('/');
  const found = await place.link.api.ask('GET', `/images/${path}/json`).catch(() => undefined);
  if (found?.status === 404) await pullForStart(place, image, start);
}

/** Makes an engine pull the image of a start. @throws PanelError START_FAILED with the message of the registry */
export async function pullForStart(
  { link: { api }, clock, spawner, where, env, cwd }: PullPlace,
  image: string,
  { request: { signal }, onPulling = () => undefined }: PullingStart,
): Promise<void> {
  const askHelper = (program: string, registry: string) =>
    askProgram(spawner, program, registry, { env, cwd });
  try {
    await pullImage({ api, clock, image, signal, onPulling, askHelper, folder: dockerFolder(env) });
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof EngineRefusal)) throw error;
    const { headline, remedy } = imageFailure(image, where, error.message);
    throw new PanelError('START_FAILED', asSentence(headline), {
      remedy: remedy.words,
      data: { fix: remedy.fix },
      short: { phrase: headline },
    });
  }
}

/** Runs a credential helper with one line of input, and returns its output. @throws if the helper fails */
async function askProgram(
  spawner: Spawner,
  command: string,
  line: string,
  { env, cwd }: Pick<SpawnRequest, 'env' | 'cwd'>,
): Promise<string> {
  const child = await spawner({ command, args: ['get'], env, cwd, isHome: true });
  child.stderr.resume();
  child.stdin.on('error', () => undefined).end(line);
  const output = text(child.stdout);
  const { exitCode } = await child.exited;
  if (exitCode !== 0) throw new Error(`${command} failed`);
  return output;
}

/** Makes an engine pull an image, with the user's sign-in at its registry. @throws EngineRefusal with the registry's message */
async function pullImage({ api, clock, image, signal, onPulling, ...deps }: PullOptions): Promise<void> {
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
      // A timer reports the state, rather than the next report, because an engine that is waiting sends no further reports.
      telling ??= clock.setTimeout(tell, TELL_MS);
    });
  } finally {
    telling?.dispose();
    onPulling(undefined);
  }
  // The HTTP status was sent before the pull began, so it does not show the failure.
  if (problem !== undefined) throw new EngineRefusal(problem);
}

/** Passes on each line of a stream until its end, or until `signal` aborts it. @throws if the stream breaks */
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
