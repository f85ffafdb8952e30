import { createScanner, getLocation, type ParseError, printParseErrorCode } from 'jsonc-parser';
import type { FileProblem } from '../files/file-errors.ts';

/** Creates a problem located at `offset` in `text`, which has no byte order mark. */
export function problemAt(text: string, offset: number, message: string): FileProblem {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { message, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

const expectedByCode: Readonly<Record<string, string>> = {
  InvalidNumberFormat: 'a number',
  PropertyNameExpected: 'a name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: '":"',
  CommaExpected: '","',
  CloseBraceExpected: '"}"',
  CloseBracketExpected: '"]"',
  EndOfFileExpected: 'the end of the file',
  UnexpectedEndOfComment: 'the end of the comment ("*/")',
  UnexpectedEndOfString: 'the closing quote of the text',
  InvalidUnicode: 'four hexadecimal digits after \\u',
  InvalidEscapeCharacter: 'a known character after the backslash',
  InvalidCharacter: 'no control character inside a text',
};

/** Describes where a text stops being JSONC: the expected and the found token. */
export function syntaxProblem(text: string, error: ParseError): FileProblem {
  if (text.trim() === '') return problemAt(text, 0, 'expected { "mcpServers": { … } }, found an empty file');
  const expected = expectedByCode[printParseErrorCode(error.error)] ?? 'JSON';
  const path = getLocation(text, error.offset).path.filter((segment) => segment !== '');
  const where = path.length > 0 ? `${path.join('.')}: ` : '';
  return problemAt(text, error.offset, `${where}expected ${expected}, found ${tokenAt(text, error.offset)}`);
}

/** Returns the token at `offset`. For a string it returns only the kind, because the string could be half a password. */
function tokenAt(text: string, offset: number): string {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const token = text.slice(scanner.getTokenOffset(), scanner.getPosition());
  if (token === '') return 'the end of the file';
  if (token.startsWith('"') || token.startsWith("'")) return 'a text in quotes';
  return /^[[\]{}:,]$/.test(token) ? `"${token}"` : 'something that is not JSON';
}
