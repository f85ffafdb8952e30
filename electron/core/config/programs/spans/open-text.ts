import type { ForeignProgram } from '../program.ts';
import { openJsonText } from './json-text.ts';
import type { OpenedText } from './servers-text.ts';
import { openTomlText } from './toml-text.ts';
import { openYamlText } from './yaml-text.ts';

const openers: Readonly<Record<ForeignProgram['format'], (text: string) => OpenedText>> = {
  json: openJsonText,
  toml: openTomlText,
  yaml: openYamlText,
};

/** Maximum length of TOML and YAML, whose parsers are slower than that of JSON. */
const MAX_LENGTH = 512 * 1024;
/** Texts that show nesting too deep for the TOML and YAML parsers, which become slower with each level. */
const DEEP = ['[', '{', '- '].map((start) => start.repeat(40));

/** Opens a file of a program. Never throws. */
export function openText(format: ForeignProgram['format'], source: string): OpenedText {
  const text = source.replace(/^\uFEFF/, '');
  if (text.trim() === '') return { message: 'there is nothing in it' };
  if (format !== 'json' && (text.length > MAX_LENGTH || DEEP.some((levels) => text.includes(levels))))
    return { message: 'it is too long or too deeply nested' };
  try {
    return openers[format](text);
  } catch (error) {
    // The JSON parser is recursive, so deep nesting exhausts the stack.
    if (error instanceof RangeError) return { message: 'it is nested too deeply' };
    throw error;
  }
}
