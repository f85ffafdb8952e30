import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundData, type DataBounds } from '../../../../shared/plain-data.ts';
import { nextTurn } from '../../../../electron/core/next-turn.ts';
import { boundBody, parseBody } from '../../../../electron/core/supervisor/connection/long-body.ts';
import { asLong } from '../../long-message.ts';

const MEBI = 1024 * 1024;
const bodyIn = (result: unknown) => asLong({ jsonrpc: '2.0', id: 1, result });
const fields = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.jsonValue());
const WIDE: DataBounds = {
  maxDepth: 64,
  maxEntries: 5000,
  maxValues: 1e6,
  maxTextLength: 1e6,
  maxTotalLength: 1e6,
  cutTexts: 'end',
};

/** Resolves with the number of turns of the event loop that a task took. */
async function turnsOf(task: Promise<unknown>): Promise<number> {
  let isOver = false;
  void task.finally(() => (isOver = true)).catch(() => undefined);
  let turns = 0;
  while (!isOver) {
    await nextTurn();
    turns += 1;
  }
  return turns;
}

describe('the body of a long message', () => {
  it('is what the parser makes of it', async () => {
    await fc.assert(
      fc.asyncProperty(fields, async (result) => {
        // Writing and reading once turns -0 into 0, as a body does.
        const expected: unknown = JSON.parse(JSON.stringify(result));
        expect(await parseBody(bodyIn(result))).toEqual(expected);
        expect((await boundBody(bodyIn(result), WIDE)).value).toEqual(expected);
      }),
    );
  });

  it('is what the parser makes of it when it is read in turns, with escapes and characters across them', async () => {
    const text = 'x'.repeat(16_380) + '\u{1F680}\\"\n\u0001é'.repeat(5000) + '\\'.repeat(40_001);
    const result = { text, many: Array.from({ length: 20_000 }, (_, at) => ({ [`"é${at}`]: [at, null] })) };
    const turns = turnsOf(parseBody(bodyIn(result)).then((value) => expect(value).toEqual(result)));
    expect(await turns).toBeGreaterThan(20);
  });

  it('has a field of any name', async () => {
    const message = bodyIn(JSON.parse('{"__proto__":{"a":1},"constructor":2}'));
    const { value } = await boundBody(message, WIDE);
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('is bounded as a value is that is there, with the same loss, where there is one large part', async () => {
    const small = fc.record({
      list: fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 30 }),
      data: fc.string({ maxLength: 100 }),
    });
    const bounds = {
      ...WIDE,
      maxEntries: 12,
      maxTextLength: 50,
      wholeTexts: { names: ['data'], maxTotalLength: 70 },
    };
    await fc.assert(
      fc.asyncProperty(small, async (result) => {
        expect(await boundBody(bodyIn(result), bounds)).toEqual(boundData(result, bounds));
      }),
    );
  });

  it('never holds more than its bounds, whatever comes', async () => {
    const bounds = {
      ...WIDE,
      maxDepth: 3,
      maxEntries: 4,
      maxValues: 12,
      maxTextLength: 60,
      maxTotalLength: 150,
    };
    await fc.assert(
      fc.asyncProperty(fields, async (result) => {
        const { value, loss } = await boundBody(bodyIn(result), bounds);
        // Bounding the value once more changes nothing because it is within the bounds.
        expect(boundData(value, { ...bounds, maxTotalLength: 1000 })).toEqual({ value });
        const whole = JSON.stringify(JSON.parse(JSON.stringify(result)));
        expect(JSON.stringify(value) === whole).toBe(loss === undefined);
      }),
    );
  });

  it('leaves turns to others while it is read', async () => {
    const list = Array.from({ length: 90_000 }, (_, at) => at);
    expect(await turnsOf(parseBody(bodyIn({ list })))).toBeGreaterThan(20);
    expect(await turnsOf(boundBody(bodyIn({ data: 'A'.repeat(MEBI) }), WIDE))).toBeGreaterThan(60);
  });

  it('is refused as a whole where it holds more values than anybody parses', async () => {
    const message = bodyIn({ list: Array.from({ length: 100_001 }, () => 0) });
    await expect(parseBody(message)).rejects.toMatchObject({
      code: 'PROTOCOL_ERROR',
      message: expect.stringContaining('100006 values; at most 100000') as string,
    });
  });

  it('is given up when the signal aborts', async () => {
    const abort = new AbortController();
    const reading = boundBody(bodyIn({ list: Array.from({ length: 90_000 }, () => 0) }), WIDE, abort.signal);
    abort.abort(new Error('nobody waits'));
    await expect(reading).rejects.toThrow('nobody waits');
  });
});
