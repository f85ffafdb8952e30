/**
 * Where in the grammar of JSON (RFC 8259) a text stands, between two bytes of it. `BROKEN` is for good.
 */
export const BROKEN = 0;
/** A value is expected. */
export const VALUE = 1;
/** Behind the bracket of a list: a value or its end. */
export const FIRST_ITEM = 2;
/** Behind the bracket of an object: a name or its end. */
export const FIRST_NAME = 3;
export const NAME = 4;
/** A name is over. */
export const COLON = 5;
/** A value is over. */
export const AFTER = 6;
export const TEXT = 7;
const ESCAPE = 8;
/** Four of them, one per digit. */
const HEX = 9;
const MINUS = 13;
const ZERO = 14;
const DIGITS = 15;
const POINT = 16;
const FRACTION = 17;
const EXPONENT = 18;
const EXPONENT_SIGN = 19;
const EXPONENT_DIGITS = 20;
/** The first of the states within `true`, `false` and `null`. */
const WORDS = 21;

/** Steps from here on are more than a change of state: the scanner looks what they do. */
export const FIRST_ACTION = 32;
export const BEGIN_TEXT = 32;
export const BEGIN_NAME = 33;
export const END_TEXT = 34;
export const BEGIN_SCALAR = 35;
export const OPEN_OBJECT = 36;
export const OPEN_LIST = 37;
export const CLOSE_OBJECT = 38;
export const CLOSE_LIST = 39;
export const COMMA = 40;

const SPACE = ' \t\r\n';
const NUMBER_ENDS = [ZERO, DIGITS, FRACTION, EXPONENT_DIGITS];

interface States {
  /** By state and byte, `state << 8 | byte`: the next state, or the action to take. */
  readonly steps: Uint8Array;
  /** By the first byte of a number or a word: the state behind it. */
  readonly scalars: Uint8Array;
}

/** The grammar as tables, which cost a look-up per byte. */
export function createJsonStates(): States {
  const steps = new Uint8Array(FIRST_ACTION << 8);
  const scalars = new Uint8Array(256);
  const on = (state: number, bytes: string, step: number) => {
    for (const byte of Buffer.from(bytes)) steps[(state << 8) | byte] = step;
  };
  for (const state of [VALUE, FIRST_ITEM]) {
    on(state, SPACE, state);
    on(state, '"', BEGIN_TEXT);
    on(state, '{', OPEN_OBJECT);
    on(state, '[', OPEN_LIST);
    on(state, '-0123456789tfn', BEGIN_SCALAR);
  }
  on(FIRST_ITEM, ']', CLOSE_LIST);
  for (const state of [FIRST_NAME, NAME]) {
    on(state, SPACE, state);
    on(state, '"', BEGIN_NAME);
  }
  on(FIRST_NAME, '}', CLOSE_OBJECT);
  on(COLON, SPACE, COLON);
  on(COLON, ':', VALUE);
  for (const state of [AFTER, ...NUMBER_ENDS]) {
    on(state, SPACE, AFTER);
    on(state, ',', COMMA);
    on(state, '}', CLOSE_OBJECT);
    on(state, ']', CLOSE_LIST);
  }
  // Bytes of other characters than ASCII stand in texts only. That they are UTF-8 is checked elsewhere.
  steps.fill(TEXT, (TEXT << 8) + 0x20, (TEXT + 1) << 8);
  on(TEXT, '\\', ESCAPE);
  on(TEXT, '"', END_TEXT);
  on(ESCAPE, '"\\/bfnrt', TEXT);
  on(ESCAPE, 'u', HEX);
  for (let digit = 0; digit < 4; digit += 1)
    on(HEX + digit, '0123456789abcdefABCDEF', digit === 3 ? TEXT : HEX + digit + 1);
  numberSteps(on);
  for (const byte of Buffer.from('123456789')) scalars[byte] = DIGITS;
  scalars[0x30] = ZERO;
  scalars[0x2d] = MINUS;
  let state = WORDS;
  for (const word of ['true', 'false', 'null']) {
    scalars[word.charCodeAt(0)] = state;
    for (let at = 1; at < word.length; at += 1) {
      const isLast = at === word.length - 1;
      on(state, word.charAt(at), isLast ? AFTER : state + 1);
      state += 1;
    }
  }
  return { steps, scalars };
}

function numberSteps(on: (state: number, bytes: string, step: number) => void): void {
  on(MINUS, '0', ZERO);
  on(MINUS, '123456789', DIGITS);
  on(DIGITS, '0123456789', DIGITS);
  for (const state of [ZERO, DIGITS]) on(state, '.', POINT);
  on(POINT, '0123456789', FRACTION);
  on(FRACTION, '0123456789', FRACTION);
  for (const state of [ZERO, DIGITS, FRACTION]) on(state, 'eE', EXPONENT);
  on(EXPONENT, '+-', EXPONENT_SIGN);
  for (const state of [EXPONENT, EXPONENT_SIGN, EXPONENT_DIGITS]) on(state, '0123456789', EXPONENT_DIGITS);
}
