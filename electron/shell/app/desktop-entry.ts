import { ownValue } from '../../../shared/own-value.ts';
/** Characters allowed in an argument of `Exec` without quotes; the spec reserves many others. */
const PLAIN_ARGUMENT = /^[A-Za-z0-9@%+:,./_-]+$/;

export interface DesktopEntry {
  readonly name: string;
  readonly comment: string;
  /** Absolute path of the program, and its arguments. */
  readonly command: readonly [program: string, ...args: string[]];
}

/**
 * Returns the text of an XDG autostart file (Desktop Entry Specification 1.5).
 * @throws when the path of the program holds `=`, which the spec forbids.
 */
export function autostartFile({ name, comment, command }: DesktopEntry): string {
  const [program] = command;
  if (program.includes('=')) {
    throw new Error(`${program} cannot be started at login: a desktop entry may hold no path with "="`);
  }
  const entries = [
    ['Type', 'Application'],
    ['Name', escapeValue(name)],
    ['Comment', escapeValue(comment)],
    // Lets desktops silently skip an app that was removed.
    ['TryExec', escapeValue(program)],
    ['Exec', escapeValue(command.map(quoteArgument).join(' '))],
    ['Terminal', 'false'],
    ['X-GNOME-Autostart-enabled', 'true'],
  ];
  return ['[Desktop Entry]', ...entries.map(([key, value]) => `${key}=${value}`), ''].join('\n');
}

/** Formats one argument of `Exec`: `%` is doubled, and reserved characters are put in double quotes. */
function quoteArgument(argument: string): string {
  const literal = argument.replaceAll('%', '%%');
  return PLAIN_ARGUMENT.test(literal) ? literal : `"${literal.replace(/["`$\\]/g, '\\$&')}"`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes a value of type string. A reader undoes this escape first, so it is applied last. */
function escapeValue(value: string): string {
  return value
    .replace(/[\\\n\r\t]/g, (character) => ownValue(escapes, character) ?? character)
    .replace(/^ /, '\\s');
}
