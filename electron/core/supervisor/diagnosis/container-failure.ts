import { containerRunOf } from '../../../../shared/container-run.ts';
import { BYTES_PER_MIB } from '../../../../shared/units.ts';
import type { HostedEnd } from '../../platform/hosted-run.ts';
import type { DiagnosedRemedy } from './remedy.ts';
import type { StdioServerConfig } from '../../../../shared/server-config.ts';

/** Data about the started command that helps to explain its end. */
export interface Launch extends Pick<StdioServerConfig, 'command' | 'args' | 'env'> {
  /** Whole environment of the process, including the variables in `env`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Failure whose reason is known, so that it need not be guessed from the output. */
export interface KnownFailure {
  readonly headline: string;
  /** `fix` is undefined if no change of the server's configuration helps. */
  readonly remedy: Pick<DiagnosedRemedy, 'words'> & Partial<DiagnosedRemedy>;
}

/** Exit codes of engine clients: the engine refused; the program may not be executed; the program does not exist. */
const REFUSED = 125;
const NOT_EXECUTABLE = 126;
const NO_PROGRAM = 127;

const NO_IMAGE =
  /Unable to find image '|Trying to pull |\bshort-name "|manifest unknown|pull access denied|No such image|initializing source/;

/**
 * Returns the reason why a server's container could not be started or has ended, if the engine or its client reported it.
 * Undefined for a server outside containers, and if only the server's own output can show the reason. @param cause line of
 * stderr that states the cause
 */
export function containerFailureOf(
  { exitCode, outOfMemory, isClientAlone, isEngineLost, why }: HostedEnd,
  launch: Launch,
  stderr: string,
  cause = '',
): KnownFailure | undefined {
  if (outOfMemory) return memoryFailure(outOfMemory);
  if (why) return { headline: why.headline, remedy: { words: why.remedy } };
  const run = containerRunOf(launch.command, launch.args);
  if (run === undefined) return undefined;
  const { engine, image } = run;
  if (isEngineLost) return engineFailure(engine);
  if (isClientAlone) return clientFailure(engine);
  if (exitCode === REFUSED && NO_IMAGE.test(stderr)) return imageFailure(image, 'here', cause);
  const isOfEngine = /OCI|unable to start container process/.test(stderr);
  const program = stderr.split('exec: "')[1]?.split('"')[0] ?? 'it starts';
  if (exitCode === NO_PROGRAM && isOfEngine)
    return programFailure(`the image ${image} has no program "${program}"`);
  if (exitCode === NOT_EXECUTABLE && isOfEngine)
    return programFailure(`"${program}" in the image ${image} may not be executed`);
  return undefined;
}

function memoryFailure({ limitBytes }: NonNullable<HostedEnd['outOfMemory']>): KnownFailure {
  const fix = { kind: 'free-memory' } as const;
  if (limitBytes === undefined)
    return {
      headline: "ran out of memory: that of its engine's machine was used up",
      remedy: { words: 'Give the machine of the engine more memory, or the server less to do.', fix },
    };
  return {
    headline: `ran out of memory: its container may use ${Math.round(limitBytes / BYTES_PER_MIB)} MiB`,
    remedy: { words: 'Raise "--memory" in its arguments, or give the server less to do.', fix },
  };
}

const clientFailure = (engine: string): KnownFailure => ({
  headline: `lost its container: the client of ${engine} ended, not the server`,
  remedy: {
    words:
      'A user or a program outside the panel ended the client; find out which, or start the server again.',
  },
});

const engineFailure = (engine: string): KnownFailure => ({
  headline: `lost its engine: ${engine} does not answer`,
  remedy: { words: `Start ${engine}; the server starts again when it answers.` },
});

/** Describes an image that is missing and could not be pulled. @param where `here`, or `on ENGINE` */
export function imageFailure(image: string, where: string, cause: string): KnownFailure {
  return {
    headline: `the image ${image} is not ${where} and could not be pulled${cause && `: ${cause}`}`,
    remedy: {
      words: `Check the name and tag of the image, and that ${where === 'here' ? 'this machine' : 'that engine'} reaches its registry; sign in there if it is private.`,
      fix: { kind: 'check-image' },
    },
  };
}

const programFailure = (headline: string): KnownFailure => ({
  headline,
  remedy: {
    words: 'Correct what follows the image in its arguments.',
    fix: { kind: 'check-arguments' },
  },
});
