import { isObject, type RawEntry } from '../entry/raw-entry.ts';
import { hasHiddenCharacters } from '../format/text-direction.ts';
import { seesWholeDisk } from './container-reach.ts';
import { runsScript } from './script-options.ts';

/** Variables that make a program load code, or that decide which program is found. */
const LOADS_CODE =
  /^(?:LD_|DYLD_|PYTHON|npm_config_|(?:UV|PIP)_\w{0,30}INDEX|(?:NODE_OPTIONS|NODE_PATH|PATH|PATHEXT|COMSPEC|BASH_ENV|(?:JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS|RUBYOPT|RUBYLIB|PERL5OPT|PERL5LIB|DOTNET_STARTUP_HOOKS)$)/i;
/** Common Python variables that load no code. */
const HARMLESS = /^PYTHON(?:UNBUFFERED|IOENCODING|UTF8|DONTWRITEBYTECODE|HASHSEED|WARNINGS)$/;

/** Whether a variable decides which code runs. */
export const changesProgram = (variable: string): boolean =>
  LOADS_CODE.test(variable) && !HARMLESS.test(variable);

/** Warnings that a user must see before an imported entry runs, one sentence each. */
export function warningsOf({ command, args, env, url }: RawEntry): readonly string[] {
  const words = [command, ...(Array.isArray(args) ? (args as readonly unknown[]) : [])].filter(
    (word) => typeof word === 'string',
  );
  const variables = [...Object.keys(isObject(env) ? env : {}), ...words.flatMap(variableIn)];
  const texts = [...words, ...(typeof url === 'string' ? [url] : [])];
  const mixtures = new Set(texts.flatMap(mixturesIn));
  return [
    ...[...new Set(variables)].filter(changesProgram).map((name) => `${name} can load other code.`),
    ...(runsScript(words) ? ['It runs a shell script.'] : []),
    ...(seesWholeDisk(words) ? ['It sees your whole disk.'] : []),
    ...(texts.some(hasHiddenCharacters) ? ['It has characters that cannot be seen.'] : []),
    ...mixtures,
  ];
}

/** Name of a variable that an argument sets: `NODE_OPTIONS=…` after `env`, `--env=NODE_OPTIONS=…`. */
function variableIn(word: string): readonly string[] {
  const name = /^(?:--env=|-e)?([A-Za-z_]\w{0,99})=/.exec(word)?.[1];
  return name === undefined ? [] : [name];
}

/** Scripts with letters that look like Latin ones. */
const SCRIPTS = (['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'] as const).map(
  (name) => [name, new RegExp(String.raw`\p{Script=${name}}`, 'u')] as const,
);

/** Warnings on parts of a name or a path that mix Latin letters with those of another script. */
function mixturesIn(text: string): readonly string[] {
  if (!/[\u0370-\uffff]/.test(text)) return [];
  return text.split(/[\s/\\]/).flatMap((part) => {
    if (!/\p{Script=Latin}/u.test(part)) return [];
    const others = SCRIPTS.filter(([, letters]) => letters.test(part)).map(([name]) => name);
    return others.length === 0
      ? []
      : [`"${part.slice(0, 100)}" mixes Latin and ${others.join(' and ')} letters.`];
  });
}
