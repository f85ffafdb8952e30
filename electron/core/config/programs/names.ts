/** Longest name that no program cuts. */
const LONGEST_SAFE = 30;

type NameRule = (name: string) => string | undefined;

/** Names are kept up to a length that leaves room for those of tools. */
const notOver = (limit: number): NameRule => {
  return (name) =>
    name.length > limit ? `its name is longer than ${limit} characters, which are cut there` : undefined;
};

const isPlain = (name: string): boolean => /^[A-Za-z0-9_-]+$/.test(name);

/** Permission rules of a program that changes a name would name nothing any more. */
const changesOddCharacters: NameRule = (name) =>
  isPlain(name)
    ? undefined
    : 'its name holds other characters than letters, digits, - and _, which are changed there';

const both =
  (...rules: readonly NameRule[]): NameRule =>
  (name) =>
    rules.map((rule) => rule(name)).find((problem) => problem !== undefined);

const RESERVED = ['workspace', 'claude-in-chrome'];

/** What each program does to names, as the real ones were seen to do. Names without a rule are kept. */
export const nameRules = {
  claudeCode: both(
    (name) =>
      RESERVED.includes(name) ? 'its name is reserved there, and is left out in silence' : undefined,
    changesOddCharacters,
  ),
  copilot: both(
    (name) =>
      isPlain(name)
        ? undefined
        : 'its name holds other characters than letters, digits, - and _, and such servers are left out there',
    (name) => (name.length > 60 ? 'its name is too long there, and such servers are left out' : undefined),
  ),
  changesOddCharacters,
  gemini: notOver(LONGEST_SAFE),
  qwen: both(changesOddCharacters, notOver(LONGEST_SAFE)),
} satisfies Readonly<Record<string, NameRule>>;

/** Servers whose names become equal once odd characters are replaced, which makes Codex change all of them. */
export function clashingName(name: string, others: readonly string[]): string | undefined {
  const plain = (text: string) => text.replace(/[^A-Za-z0-9]/g, '_');
  return others.find((other) => other !== name && plain(other) === plain(name));
}
