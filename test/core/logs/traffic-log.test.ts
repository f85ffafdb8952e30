import { describe, expect, it } from 'vitest';
import { LineTimes } from '../../../electron/core/journal/line-times.ts';
import { ContentBudget, textOfContent } from '../../../electron/core/logs/traffic-contents.ts';
import { TrafficLog, type TrafficRecord } from '../../../electron/core/logs/traffic-log.ts';
import { createFakeClock } from '../fake-clock.ts';

const MIB = 1024 * 1024;
const CLIENT = { client: 'Editor', isOwn: false };
const PANEL = { isOwn: true };

function open(budget = new ContentBudget()) {
  const clock = createFakeClock();
  const log = new TrafficLog({ clock, times: new LineTimes(clock), budget, generation: () => 4 });
  const pass =
    (direction: 'to-server' | 'from-server') =>
    (message: object, asker?: { isOwn: boolean; client?: string }) =>
      log.passed({ direction, message, content: `${JSON.stringify(message)}\n`, asker });
  const [theirs, own] = [0, 1].map(
    (index) => () => log.inMemory()[index]!.runs.flatMap(({ lines }) => lines),
  );
  return { clock, log, out: pass('to-server'), back: pass('from-server'), theirs: theirs!, own: own! };
}

const call = (id: number, name = 'search') => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name, arguments: { q: 'x' } },
});
const result = (id: number | string) => ({ jsonrpc: '2.0', id, result: {} });
const keptText = ({ kept }: TrafficRecord) => kept && textOfContent(kept.content);

describe('TrafficLog', () => {
  it('pairs answers with their requests, also where ids come back as text, and tells the time between', async () => {
    const { clock, out, back, theirs } = open();
    out(call(1), CLIENT);
    out(call(2, 'fetch'), CLIENT);
    await clock.advance(40);
    back(result('2'));
    await clock.advance(60);
    back({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'no' } });
    const [first, second, ofSecond, ofFirst] = theirs();
    expect(ofSecond).toMatchObject({ kind: 'result', target: 'fetch', client: 'Editor', durationMs: 40 });
    expect(ofFirst).toMatchObject({ kind: 'error', errorCode: -32602, target: 'search', durationMs: 100 });
    expect([first!.pairUs, second!.pairUs]).toEqual([ofFirst!.atUs, ofSecond!.atUs]);
    expect([ofFirst!.pairUs, ofSecond!.pairUs]).toEqual([first!.atUs, second!.atUs]);
    expect(first).toMatchObject({
      generation: 4,
      method: 'tools/call',
      sizeBytes: JSON.stringify(call(1)).length,
    });
  });

  it('pairs what a server asks with what it is answered, apart from its own ids', () => {
    const { out, back, theirs } = open();
    out(call(1), CLIENT);
    back({ jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: { message: 'really?' } });
    out(result(1));
    back({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    back(result(1));
    const [asked, question, answer, progress, ended] = theirs();
    expect(answer).toMatchObject({ method: 'elicitation/create', pairUs: question!.atUs });
    expect(progress).toMatchObject({ client: 'Editor', pairUs: asked!.atUs });
    expect(ended).toMatchObject({ method: 'tools/call', pairUs: asked!.atUs });
  });

  it('does not take the answer of one connection for that of the next', () => {
    const { log, out, back, theirs } = open();
    out(call(1), CLIENT);
    log.connected();
    back(result(1));
    expect(theirs().at(-1)).toMatchObject({ method: '', durationMs: undefined, pairUs: undefined });
  });

  it('keeps the last thousand, and what the panel asks for itself apart from them', () => {
    const { out, back, theirs, own } = open();
    out(call(0), CLIENT);
    for (let id = 1; id <= 5000; id += 1) {
      out({ jsonrpc: '2.0', id, method: 'ping' }, PANEL);
      back(result(id));
    }
    expect(theirs()).toHaveLength(1);
    expect(own().length).toBeLessThanOrEqual(250);
    expect(own().every(({ kept }) => kept === undefined)).toBe(true);
    for (let id = 5001; id <= 8000; id += 1) out(call(id), CLIENT);
    expect(theirs().length).toBeGreaterThanOrEqual(1000);
    expect(theirs().length).toBeLessThanOrEqual(1250);
  });

  it('keeps contents as they are, up to 8 MiB, the newest of them, and of a long one the beginning', () => {
    const { log, back, theirs } = open();
    const long = 'x'.repeat(200 * 1024);
    for (let id = 0; id < 100; id += 1) back({ jsonrpc: '2.0', id, result: { long } });
    const kept = theirs().filter((record) => record.kept);
    expect(kept.reduce((bytes, { kept }) => bytes + kept!.keptBytes, 0)).toBeLessThanOrEqual(8 * MIB);
    expect(kept.length).toBeGreaterThanOrEqual(39);
    expect(theirs().indexOf(kept[0]!)).toBe(100 - kept.length);
    expect(keptText(kept[0]!)).toBe(
      JSON.stringify({ jsonrpc: '2.0', id: 100 - kept.length, result: { long } }),
    );
    const parts = Array.from({ length: 20 }, () => Buffer.alloc(64 * 1024, 'y'));
    log.passed({
      direction: 'from-server',
      message: { jsonrpc: '2.0', id: 1, result: {} },
      content: parts,
      asker: undefined,
    });
    const last = theirs().at(-1)!;
    expect(last.sizeBytes).toBe(20 * 64 * 1024);
    expect(last.kept).toMatchObject({ keptBytes: 256 * 1024, leftOutBytes: 16 * 64 * 1024 });
    expect(keptText(last)).toBe('y'.repeat(256 * 1024));
  });

  it('takes the room that all servers share from the one that has most of it', () => {
    const budget = new ContentBudget(4 * MIB);
    const [small, large] = [open(budget), open(budget)];
    small.back({ jsonrpc: '2.0', id: 1, result: { text: 'kept' } });
    const long = 'x'.repeat(200 * 1024);
    for (let id = 0; id < 100; id += 1) large.back({ jsonrpc: '2.0', id, result: { long } });
    const bytes = large.theirs().reduce((sum, { kept }) => sum + (kept?.keptBytes ?? 0), 0);
    expect(bytes).toBeLessThanOrEqual(4 * MIB);
    expect(bytes).toBeGreaterThan(3 * MIB);
    expect(small.theirs()[0]!.kept).toBeDefined();
  });

  it('keeps less than half a MiB of a server that is only asked for signs of life', () => {
    const { out, back, own } = open();
    const tools = Array.from({ length: 100 }, (_, index) => ({
      name: `tool ${index}`,
      about: 'x'.repeat(200),
    }));
    for (let id = 0; id < 2000; id += 1) {
      out({ jsonrpc: '2.0', id, method: 'tools/list' }, PANEL);
      back({ jsonrpc: '2.0', id, result: { tools } });
    }
    const bytes = own().reduce((sum, { kept }) => sum + (kept?.keptBytes ?? 0), 0);
    expect(bytes).toBeLessThanOrEqual(256 * 1024);
    expect(own().at(-1)!.kept).toBeDefined();
  });
});
