import { describe, expect, it } from 'vitest';
import type { CallOutcome, Offer } from '../../shared/domain.ts';
import { toReport } from '../../renderer/control-panel.ts';
import { createInspectorStore } from '../../renderer/inspector/inspector-store.ts';
import { toItems } from '../../renderer/inspector/offer-items.ts';
import { partWords, troublesOf } from '../../renderer/inspector/offer-troubles.ts';
import { leftOutWords, toBlocks } from '../../renderer/inspector/result-blocks.ts';
import { expandTemplate, variablesOf } from '../../renderer/inspector/uri-template.ts';

const anOffer = (changes: Partial<Offer> = {}): Offer => ({
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
  ...changes,
});

describe('toItems', () => {
  it('makes calls of tools, prompts, resources and templates', () => {
    const items = toItems(
      anOffer({
        tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
        prompts: [{ name: 'greet', arguments: [{ name: 'who', required: true }, { name: 'how' }, 7] }],
        resources: [{ uri: 'file:///a', name: 'A', mimeType: 'text/plain' }],
        resourceTemplates: [{ uriTemplate: 'db://{table}/{+path}' }],
      }),
    );
    expect(items.map(({ key }) => key)).toEqual([
      'tool echo',
      'prompt greet',
      'resource file:///a',
      'template db://{table}/{+path}',
    ]);
    const [echo, greet, file, table] = items;
    expect(echo!.toCall({ a: 1 })).toEqual({
      method: 'tools/call',
      params: { name: 'echo', arguments: { a: 1 } },
    });
    expect(greet!.form).toMatchObject({
      fields: [
        { key: 'who', kind: 'text', isRequired: true },
        { key: 'how', isRequired: false },
      ],
    });
    expect(greet!.toCall({ who: 'x' })).toEqual({
      method: 'prompts/get',
      params: { name: 'greet', arguments: { who: 'x' } },
    });
    expect(file).toMatchObject({ title: 'A', hints: ['text/plain'] });
    expect(file!.toCall({})).toEqual({ method: 'resources/read', params: { uri: 'file:///a' } });
    expect(table!.toCall({ table: 'a b', path: 'c/d' }).params).toEqual({ uri: 'db://a%20b/c/d' });
  });

  it('says what a server claims of a tool, and takes the title from where it is', () => {
    const [tool] = toItems(
      anOffer({
        tools: [{ name: 'rm', annotations: { title: 'Remove', destructiveHint: true, readOnlyHint: false } }],
      }),
    );
    expect(tool).toMatchObject({ title: 'Remove', hints: ['destructive'] });
  });

  it('lists a name once', () => {
    expect(toItems(anOffer({ tools: [{ name: 'a' }, { name: 'a' }] }))).toHaveLength(1);
  });
});

describe('templates', () => {
  it.each([
    ['a://b', []],
    ['a://{x}/{y}/{x}', ['x', 'y']],
    ['a://{+path}', ['path']],
    ['a://{?q,r}', undefined],
    ['a://{x*}', undefined],
    ['a://{', undefined],
  ])('%s has %j', (template, names) => expect(variablesOf(template)).toEqual(names));

  it('fill in nothing for what is missing', () => {
    expect(expandTemplate('a://{x}/{y}', { x: 'p/q' })).toBe('a://p%2Fq/');
  });
});

describe('toBlocks', () => {
  it('keeps text as text, line by line, without control sequences', () => {
    expect(toBlocks({ content: [{ type: 'text', text: '<b>a</b>\n\u001b[31mred\u001b[0m' }] })).toEqual([
      { kind: 'text', text: '<b>a</b>\nred' },
    ]);
  });

  it('shows a picture only when it is one', () => {
    const image = (mimeType: string, data: string) =>
      toBlocks({ content: [{ type: 'image', mimeType, data }] })[0];
    expect(image('image/png', 'iVBO\nRw==')).toEqual({
      kind: 'image',
      mimeType: 'image/png',
      source: 'data:image/png;base64,iVBORw==',
    });
    expect(image('text/html', 'iVBORw==')?.kind).toBe('note');
    expect(image('image/png', '"><script>')?.kind).toBe('note');
    expect(image('image/png;x=javascript:', 'iVBORw==')?.kind).toBe('note');
  });

  it('shows resources, links, audio, and what it does not know', () => {
    const content = [
      { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/plain', text: 'inside' } },
      { type: 'resource_link', uri: 'a://c', name: 'C' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
      { type: 'hologram', depth: 3 },
      7,
    ];
    const structuredContent = { sum: 3 };
    expect(toBlocks({ content, structuredContent })).toEqual([
      { kind: 'text', label: 'a://b · text/plain', text: 'inside' },
      { kind: 'text', label: 'resource link', text: 'C\na://c' },
      { kind: 'note', words: expect.stringContaining('audio/wav, 3 bytes') as string },
      { kind: 'json', text: expect.stringContaining('hologram') as string },
      { kind: 'json', text: expect.stringContaining('7') as string },
      { kind: 'json', label: 'Structured content', text: '{\n  "sum": 3\n}' },
    ]);
  });

  it('shows the messages of a prompt with who says them, and the contents of a resource', () => {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Hello' } }];
    expect(toBlocks({ description: 'Greets.', messages })).toEqual([
      { kind: 'note', words: 'Greets.' },
      { kind: 'text', label: 'user', text: 'Hello' },
    ]);
    expect(toBlocks({ contents: [{ uri: 'a://b', blob: 'AAAA' }] })).toMatchObject([
      { kind: 'note', label: 'a://b' },
    ]);
  });

  it('is empty for an empty result, and JSON for one of another shape', () => {
    expect(toBlocks({ content: [] })).toEqual([]);
    expect(toBlocks({ task: 1 })).toEqual([{ kind: 'json', text: '{\n  "task": 1\n}' }]);
  });
});

describe('what could not be listed', () => {
  const error = { code: 'REQUEST_TIMEOUT', message: 'No answer.' } as const;
  const items = toItems(anOffer({ tools: [{ name: 'echo' }] }));
  const failures = [
    { list: 'tools', error },
    { list: 'resourceTemplates', error },
  ] as const;

  it('is named, whether nothing of a list came or only its beginning', () => {
    expect(troublesOf({ items, failures, offerError: undefined }).map(({ lead }) => lead)).toEqual([
      'Its tools could not be listed to the end',
      'Its resource templates could not be listed',
    ]);
  });

  it('is everything when nothing came', () => {
    expect(troublesOf({ items, failures, offerError: error })).toEqual([
      { lead: 'Its offer could not be listed', error },
    ]);
    expect(troublesOf({ items, failures: [], offerError: undefined })).toEqual([]);
  });
});

describe('an answer that is shown in part', () => {
  it('says how much is missing, as far as that is known', () => {
    expect(leftOutWords({ characters: 14_000_000, values: 0, isAtLeast: false })).toBe(
      'This is a part of the answer: 14\u2009000\u2009000 characters of it are not shown, because it is too large.',
    );
    expect(leftOutWords({ characters: 20, values: 30_000, isAtLeast: true })).toContain(
      'more than 20 characters and 30\u2009000 values of it',
    );
  });

  it('has a note in the place of a picture that was too large', () => {
    expect(toBlocks({ content: [{ type: 'image', mimeType: 'image/png', data: '…' }] })).toEqual([
      { kind: 'note', words: 'image/png, too large to be shown.' },
    ]);
  });
});

describe('a list that is kept in part', () => {
  it('is told with how many there are, as far as that is known', () => {
    const part = { list: 'resourceTemplates', shown: 5000, total: 22_000 } as const;
    expect(partWords([{ ...part, isAtLeast: true }])).toEqual([
      '5000 of more than 22\u2009000 resource templates are listed; the rest is too much to show.',
    ]);
  });
});

describe('the inspector store', () => {
  const request = { method: 'tools/call', params: { name: 'echo' } } as const;

  function setUp() {
    let time = 5;
    const callIds: string[] = [];
    const timeouts: (number | undefined)[] = [];
    const cancelled: string[] = [];
    const answers: { resolve: (outcome: CallOutcome) => void; reject: (reason: unknown) => void }[] = [];
    let offers: () => Promise<Offer> = async () => anOffer({ tools: [{ name: 'echo' }] });
    const store = createInspectorStore({
      server: 'one',
      api: {
        getOffer: () => offers(),
        callServer: ({ callId, timeoutMs }) => {
          callIds.push(callId);
          timeouts.push(timeoutMs);
          return new Promise((resolve, reject) => answers.push({ resolve, reject }));
        },
        cancelCall: async (callId) => void cancelled.push(callId),
      },
      toReport,
      now: () => time,
    });
    const tick = (ms: number) => (time += ms);
    return {
      store,
      callIds,
      timeouts,
      cancelled,
      answers,
      tick,
      setOffers: (next: typeof offers) => (offers = next),
    };
  }

  it('lists, and keeps what it had when that fails', async () => {
    const { store, setOffers } = setUp();
    await store.list();
    expect(store.state.getState().items).toHaveLength(1);
    setOffers(async () => {
      throw Object.assign(new Error('It does not run.'), { code: 'STOPPED' });
    });
    await store.list();
    expect(store.state.getState()).toMatchObject({ offerError: { code: 'STOPPED' }, isListing: false });
    expect(store.state.getState().items).toHaveLength(1);
  });

  it('knows which lists failed until they come', async () => {
    const { store, setOffers } = setUp();
    const failures = [{ list: 'tools', error: { code: 'REQUEST_TIMEOUT', message: 'No answer.' } }] as const;
    setOffers(async () => anOffer({ prompts: [{ name: 'p' }], failures: [...failures] }));
    await store.list();
    expect(store.state.getState()).toMatchObject({ items: [{ key: 'prompt p' }], failures });
    setOffers(async () => anOffer());
    await store.list();
    expect(store.state.getState().failures).toEqual([]);
  });

  it('keeps the last outcome of each item', async () => {
    const { store, answers } = setUp();
    const call = store.call('tool echo', request);
    expect(store.state.getState().calls['tool echo']).toMatchObject({ phase: 'pending', since: 5 });
    void store.call('tool echo', request);
    expect(answers).toHaveLength(1);
    answers[0]!.resolve({ result: { content: [] }, durationMs: 7 });
    await call;
    expect(store.state.getState().calls['tool echo']).toMatchObject({
      phase: 'done',
      outcome: { durationMs: 7 },
    });
    const again = store.call('tool echo', request);
    answers[1]!.reject({ code: 'CRASHED', message: 'It ended.' });
    await again;
    expect(store.state.getState().calls['tool echo']).toMatchObject({
      phase: 'failed',
      error: { code: 'CRASHED' },
    });
  });

  it('hands on the time limit of a call, and none where none was set', () => {
    const { store, timeouts } = setUp();
    void store.call('tool a', { ...request, timeoutMs: 2500 });
    void store.call('tool b', request);
    expect(timeouts).toEqual([2500, undefined]);
  });

  it('gives every call an id of its own, for progress and for cancelling', () => {
    const { store, callIds, cancelled } = setUp();
    void store.call('tool a', request);
    void store.call('tool b', request);
    expect(new Set(callIds).size).toBe(2);
    store.progressed({ callId: callIds[1]!, progress: 1, total: 4 });
    store.progressed({ callId: 'of another window', progress: 1 });
    const { calls } = store.state.getState();
    expect(calls['tool a']).not.toHaveProperty('progress');
    expect(calls['tool b']).toMatchObject({ progress: { progress: 1, total: 4 } });
    store.cancel('tool b');
    store.cancel('tool of nothing');
    expect(cancelled).toEqual([callIds[1]]);
    expect(store.state.getState().calls['tool b']).toMatchObject({ isCancelling: true });
  });

  it('takes a call that was cancelled here for no failure, and any other end for one', async () => {
    const { store, answers, tick } = setUp();
    const cancelled = { code: 'CANCELLED', message: 'The call was cancelled.' };
    const endsOf = async (key: string, isAskedFor: boolean, reason: unknown) => {
      const ended = store.call(key, request);
      tick(400);
      if (isAskedFor) store.cancel(key);
      answers.at(-1)!.reject(reason);
      await ended;
      return store.state.getState().calls[key];
    };
    expect(await endsOf('tool a', true, cancelled)).toEqual({ phase: 'cancelled', at: 405, afterMs: 400 });
    expect(await endsOf('tool a', false, cancelled)).toMatchObject({ phase: 'failed', error: cancelled });
    const crashed = { code: 'CRASHED', message: 'It ended.' };
    expect(await endsOf('tool b', true, crashed)).toMatchObject({ phase: 'failed', error: crashed });
  });
});
