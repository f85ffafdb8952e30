import { containerRunOf } from '../../../../shared/container-run.ts';
import { RUNNER_FAMILIES } from '../../../../shared/package-run.ts';
import { programName } from '../../../../shared/program-name.ts';

/** Options whose value is the next word, by program. */
const VALUES: readonly (readonly [programs: readonly string[], options: RegExp])[] = [
  [
    [
      ...RUNNER_FAMILIES.flatMap(({ programs }) => programs),
      ...['bun', 'poetry', 'hatch', 'pdm', 'rye', 'conda', 'mamba'],
    ],
    /^(-p|--package|--from|--with|--with-editable|--with-requirements|--python|--directory|--project|--prefix|-C|--cwd|--index|--index-url|--extra-index-url|--default-index|--registry|--env-file|--spec|--extra|--group|-n)$/,
  ],
  [
    ['node', 'deno', 'python', 'python3', 'py', 'java'],
    /^(-r|--require|--import|--loader|--env-file|-W|-X|-cp|-classpath|--config)$/,
  ],
];

/**
 * Returns the words of a command line without the options of its first program and their values. For a container engine only the
 * image and the words behind it remain, because the words before belong to the engine.
 */
export function wordsAfterOptions([command = '', ...args]: readonly string[]): readonly string[] {
  const run = containerRunOf(command, args);
  if (run !== undefined) return [command, run.image, ...run.serverWords];
  const options = VALUES.find(([programs]) => programs.includes(programName(command)))?.[1];
  if (options === undefined) return [command, ...args];
  const kept = args.filter((_, index) => index === 0 || !options.test(args[index - 1] ?? ''));
  return [command, ...kept.filter((word) => !word.startsWith('-'))];
}
