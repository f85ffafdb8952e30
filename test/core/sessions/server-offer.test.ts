import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../shared/error-codes.ts';
import { readOffer } from '../../../electron/core/sessions/server-offer.ts';

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

/** A server that has these pages of each list, the cursor being the number of the page. */
function asker(pages: Pages, capabilities: object = all) {
  const asked: string[] = [];
  const request = async (method: string, { cursor = '0' }: { cursor?: string }): Promise<Page> => {
    asked.push(`${method} ${cursor}`);
    const page = pages[method]?.[Number(cursor)];
    if (page === undefined) throw notFound;
    if (page instanceof PanelError) throw page;
    return page;
  };
  return { capabilities, request, asked };
}

describe('the offer of a server', () => {
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
});
