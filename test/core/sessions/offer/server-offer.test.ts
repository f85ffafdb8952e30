import { describe, expect, it } from 'vitest';
import type { Offer } from '../../../../shared/domain.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { inTexts, readOffer } from '../../../../electron/core/sessions/offer/server-offer.ts';
import type { RawResult } from '../../../../electron/core/mcp/long-message.ts';
import { longResult, rawResults } from '../../long-message.ts';

type Page = Record<string, unknown>;
type Pages = Readonly<Record<string, readonly (Page | PanelError)[]>>;

const all = { tools: {}, prompts: {}, resources: {} };
const late = new PanelError('REQUEST_TIMEOUT', 'tools/list had no answer by its deadline.');
const crashed = new PanelError('CRASHED', 'exit code 1');
const notFound = new PanelError('SERVER_ERROR', 'Method not found', { data: { rpcCode: -32_601 } });
const nothing: Pages = {
  'tools/list': [{ tools: [] }],
  'prompts/list': [{ prompts: [] }],
  'resources/list': [{ resources: [] }],
  'resources/templates/list': [{ resourceTemplates: [] }],
};

describe.each(rawResults)('the offer of a server whose answers come %s', (_how, raw) => {
  /** Asks a server that has these pages of each list, the cursor being the number of the page. */
  function asker(pages: Pages, capabilities: object = all) {
    const asked: string[] = [];
    const requestRaw = async (method: string, { cursor = '0' }: { cursor?: string }): Promise<RawResult> => {
      asked.push(`${method} ${cursor}`);
      const page = pages[method]?.[Number(cursor)];
      if (page === undefined) throw notFound;
      if (page instanceof PanelError) throw page;
      return raw(page);
    };
    return { capabilities, requestRaw, asked };
  }

  it('is what its lists hold, page by page, and nothing is asked that it does not have', async () => {
    const server = asker(
      { 'tools/list': [{ tools: [{ name: 'a' }], nextCursor: '1' }, { tools: [{ name: 'b' }, 7] }] },
      { tools: {} },
    );
    expect(await readOffer(server)).toEqual({
      tools: [{ name: 'a' }, { name: 'b' }],
      prompts: [],
      resources: [],
      resourceTemplates: [],
    });
    expect(server.asked).toEqual(['tools/list 0', 'tools/list 1']);
  });

  it('is not "nothing" when the server does not answer: the error says which list', async () => {
    const server = asker({ 'tools/list': [late] }, { tools: {} });
    await expect(readOffer(server)).rejects.toBe(late);
  });

  it('is not "nothing" when the server ends during the questions', async () => {
    const gone = Object.fromEntries(Object.keys(nothing).map((method) => [method, [crashed]]));
    await expect(readOffer(asker(gone))).rejects.toBe(crashed);
  });

  it('is not "nothing" when an answer holds no list', async () => {
    const server = asker({ 'tools/list': [{ items: [] }] }, { tools: {} });
    await expect(readOffer(server)).rejects.toMatchObject({
      code: 'PROTOCOL_ERROR',
      message: expect.stringContaining('tools/list') as string,
    });
  });

  it('holds the lists that came when another one failed, and says which did not', async () => {
    const offer = await readOffer(
      asker({ ...nothing, 'tools/list': [late], 'prompts/list': [{ prompts: [{ name: 'p' }] }] }),
    );
    expect(offer).toMatchObject({
      tools: [],
      prompts: [{ name: 'p' }],
      failures: [{ list: 'tools', error: { code: 'REQUEST_TIMEOUT', message: late.message } }],
    });
  });

  it('holds the pages that came before one that failed, and says that there are more', async () => {
    const pages = [{ tools: [{ name: 'a' }], nextCursor: '1' }, crashed];
    expect(await readOffer(asker({ 'tools/list': pages }, { tools: {} }))).toMatchObject({
      tools: [{ name: 'a' }],
      failures: [{ list: 'tools', error: { code: 'CRASHED' } }],
    });
  });

  it('has no templates, and no failure, where the server knows resources only', async () => {
    const offer = await readOffer(asker({ 'resources/list': [{ resources: [] }] }, { resources: {} }));
    expect(offer).toEqual({ tools: [], prompts: [], resources: [], resourceTemplates: [] });
  });

  it('ends with a cursor that was given before', async () => {
    const server = asker({ 'tools/list': [{ tools: [{ name: 'a' }], nextCursor: '0' }] }, { tools: {} });
    expect((await readOffer(server)).tools).toHaveLength(2);
    expect(server.asked).toEqual(['tools/list 0', 'tools/list 0']);
  });

  describe('of a server that offers too much', () => {
    const tools = (count: number, more: object = {}) =>
      Array.from({ length: count }, (_, index) => ({ name: `tool_${index}`, ...more }));
    const offerOf = (pages: readonly (Page | PanelError)[]) => {
      const server = asker({ 'tools/list': pages }, { tools: {} });
      return readOffer(server).then((offer) => ({ ...offer, asked: server.asked }));
    };

    it('is its first 5000 tools, and says how many there are', async () => {
      const offer = await offerOf([{ tools: tools(100_000) }]);
      expect(offer.tools).toHaveLength(5000);
      expect(offer.tools.at(-1)).toEqual({ name: 'tool_4999' });
      expect(offer.parts).toEqual([{ list: 'tools', shown: 5000, total: 100_000, isAtLeast: false }]);
    });

    it('goes to the page in texts of a bounded length, which hold the same', async () => {
      const offer = await offerOf([{ tools: tools(500, { description: 'd'.repeat(1000) }) }]);
      const { texts, parts } = await inTexts({ ...offer, prompts: [{ name: 'p' }] });
      expect(texts.length).toBeGreaterThan(8);
      expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(70 * 1024);
      const read = texts.map((text) => JSON.parse(text) as Partial<Offer>);
      expect(read.flatMap(({ tools: some = [] }) => some)).toEqual(offer.tools);
      expect(read.at(-1)).toEqual({ prompts: [{ name: 'p' }] });
      expect(parts).toBe(offer.parts);
    });

    it('asks for no further page once it is full, and says that there are more', async () => {
      const offer = await offerOf([
        { tools: tools(3000), nextCursor: '1' },
        { tools: tools(3000), nextCursor: '2' },
      ]);
      expect(offer.asked).toHaveLength(2);
      expect(offer.parts).toEqual([{ list: 'tools', shown: 5000, total: 6000, isAtLeast: true }]);
    });

    it('ends a list of pages without end', async () => {
      const asked: string[] = [];
      const offer = await readOffer({
        capabilities: { tools: {} },
        requestRaw: async (_method, { cursor = '0' }: { cursor?: string }) => {
          asked.push(cursor);
          return raw({ tools: [{ name: `t${cursor}` }], nextCursor: String(Number(cursor) + 1) });
        },
      });
      expect(asked).toHaveLength(100);
      expect(offer.parts).toEqual([{ list: 'tools', shown: 100, total: 100, isAtLeast: true }]);
    });

    it('does not send megabytes back as a cursor', async () => {
      const offer = await offerOf([{ tools: tools(1), nextCursor: '1'.repeat(100_000) }]);
      expect(offer.asked).toHaveLength(1);
      expect(offer.parts).toEqual([{ list: 'tools', shown: 1, total: 1, isAtLeast: true }]);
    });

    it('leaves a tool out that is too large or too deep to be handed on, and only that', async () => {
      let deep: object = {};
      for (let level = 0; level < 1000; level += 1) deep = { deep };
      const offer = await offerOf([
        {
          tools: [
            { name: 'long', description: 'x'.repeat(300_000) },
            { name: 'deep', inputSchema: deep },
            { name: 'fine' },
          ],
        },
      ]);
      expect(offer.tools).toEqual([{ name: 'fine' }]);
      expect(offer.parts).toEqual([{ list: 'tools', shown: 1, total: 3, isAtLeast: false }]);
    });

    it('keeps no more than 8 Mi characters and 100 000 values in all', async () => {
      const long = await offerOf([{ tools: tools(120, { description: 'x'.repeat(100_000) }) }]);
      expect(long.parts).toEqual([{ list: 'tools', shown: 83, total: 120, isAtLeast: false }]);
      const many = await offerOf([{ tools: tools(150, { tags: Array.from({ length: 1000 }, () => 1) }) }]);
      expect(many.parts).toEqual([{ list: 'tools', shown: 99, total: 150, isAtLeast: false }]);
    });
  });
});

describe('a list in a long answer', () => {
  const offerOf = (json: string) =>
    readOffer({ capabilities: { tools: {} }, requestRaw: async () => longResult(json) });

  it('is known by its name as it is read, beside others, and the last of two counts', async () => {
    const json = `{"x":"tools","other":[{"name":"no"}],"tools":{"tools":[{"name":"no"}]},"\\u0074ools":[{"name":"a]}"},{"name":"\\ud83d\\ude80é"}]}`;
    expect((await offerOf(json)).tools).toEqual([{ name: 'a]}' }, { name: '🚀é' }]);
  });

  it('leaves a tool of many values out, and only that', async () => {
    const json = `{"tools":[{"name":"many","inputSchema":{"a":[${'1,'.repeat(30_000)}0]}},{"name":"fine"}]}`;
    const offer = await offerOf(json);
    expect(offer.tools).toEqual([{ name: 'fine' }]);
    expect(offer.parts).toEqual([{ list: 'tools', shown: 1, total: 2, isAtLeast: false }]);
  });
});
