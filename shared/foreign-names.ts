/** What another program does to a server whose name it does not accept unchanged. */
export interface ForeignNameProblem {
  /** The program silently omits the server, or renames it, so that rules for its tools no longer match anything. */
  readonly effect: 'dropped' | 'changed';
  /** Part of a sentence: "its name has a dot". */
  readonly reason: string;
}

type NameRule = (name: string) => ForeignNameProblem | undefined;
type Effect = ForeignNameProblem['effect'];

/** Maximum length of a name that leaves room for the names of tools. */
const LONGEST_SAFE = 30;

const notOver =
  (limit: number, effect: Effect): NameRule =>
  (name) =>
    name.length > limit ? { effect, reason: `its name is longer than ${limit} characters` } : undefined;

const isPlain = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name);
const plainOnly =
  (effect: Effect): NameRule =>
  (name) => {
    if (isPlain(name)) return undefined;
    if (isPlain(name.replaceAll('.', '_'))) return { effect, reason: 'its name has a dot' };
    return { effect, reason: 'its name has other characters than letters, digits, - and _' };
  };

/** Names that Claude Code reserves for itself. */
export const claudeCodeNames: readonly string[] = ['workspace', 'claude-in-chrome'];

/** What each program does to names, by program id, as observed with the real programs. Names without a rule are kept. */
const rules: ReadonlyMap<string, readonly NameRule[]> = new Map([
  [
    'claude-code',
    [
      (name) =>
        claudeCodeNames.includes(name)
          ? { effect: 'dropped', reason: 'its name is reserved there' }
          : undefined,
      plainOnly('changed'),
    ],
  ],
  ['copilot-cli', [plainOnly('dropped'), notOver(60, 'dropped')]],
  ['gemini-cli', [notOver(LONGEST_SAFE, 'changed')]],
  ['qwen-code', [plainOnly('changed'), notOver(LONGEST_SAFE, 'changed')]],
  ['opencode', [plainOnly('changed')]],
]);

/**
 * Returns what a program does to a server's name if it also has the servers `others`; undefined if it keeps the name.
 * @param program id of the program
 */
export function foreignNameProblem(
  program: string,
  name: string,
  others: readonly string[],
): ForeignNameProblem | undefined {
  const twin = program === 'codex' ? others.find((other) => isOneInCodex(other, name)) : undefined;
  if (twin !== undefined)
    return { effect: 'changed', reason: `its name and ${twin} are one name there, so both get a hash` };
  return rules
    .get(program)
    ?.map((rule) => rule(name))
    .find((problem) => problem !== undefined);
}

function isOneInCodex(one: string, other: string): boolean {
  const plain = (text: string) => text.replace(/[^A-Za-z0-9]/g, '_');
  return one !== other && plain(one) === plain(other);
}
