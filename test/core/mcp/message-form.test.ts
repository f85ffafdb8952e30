import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMessage } from '../../../electron/core/mcp/message-form.ts';

const odd = fc.constantFrom<unknown>(null, 0, 1.5, 2 ** 60, -1, true, '', 'x', [], {}, [{}]);
const task = fc.oneof(odd, fc.record({ taskId: odd }), fc.constant({ taskId: 't', more: 1 }));
const meta = fc.oneof(
  odd,
  fc.record(
    { progressToken: odd, 'io.modelcontextprotocol/related-task': task, other: odd },
    { requiredKeys: [] },
  ),
);
const payload = fc.oneof(odd, fc.record({ _meta: meta, any: odd }, { requiredKeys: [] }));
const failure = fc.oneof(
  odd,
  fc.record({ code: odd, message: odd, data: odd, extra: odd }, { requiredKeys: [] }),
);
const fields = { id: odd, method: odd, params: payload, result: payload, error: failure, took: odd };
/** Message of one of the forms, perhaps with a field of any kind over it, or one too many. */
const message = fc
  .tuple(
    fc.constantFrom<object>(
      { id: 1, method: 'ping' },
      { method: 'notifications/x', params: {} },
      { id: 'a', result: {} },
      { error: { code: -1, message: 'm' } },
      {},
    ),
    fc.oneof(
      ...Object.entries(fields).map(([name, value]) => value.map((filled) => ({ [name]: filled }))),
      fc.record(fields, { requiredKeys: [] }),
    ),
    fc.oneof({ weight: 9, arbitrary: fc.constant<unknown>('2.0') }, { weight: 1, arbitrary: odd }),
  )
  .map(([form, over, jsonrpc]) => ({ jsonrpc, ...form, ...over }));

describe('the form of a message', () => {
  it("has the verdict of the SDK's schema for whatever a line may hold", () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof(message, odd), (value) => {
        const { success } = JSONRPCMessageSchema.safeParse(value);
        if (success) accepted += 1;
        expect(isMessage(value)).toBe(success);
      }),
      { numRuns: 5000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});
