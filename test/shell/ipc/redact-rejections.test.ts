import { describe, expect, it } from 'vitest';
import { redactRejections } from '../../../electron/shell/ipc/redact-rejections.ts';
import { PanelError, toErrorReport } from '../../../shared/error-codes.ts';
import type { CallHandlers } from '../../../shared/ipc-contract.ts';

const redact = async (text: string) => text.replaceAll('s3cret', '[redacted]');

describe('redactRejections', () => {
  it('takes secrets out of messages and remedies, and leaves code and data', async () => {
    const handlers = {
      startServer: () =>
        Promise.reject(
          new PanelError('START_FAILED', 'said s3cret', { remedy: 'change s3cret', data: { exitCode: 1 } }),
        ),
    } as unknown as CallHandlers;
    const rejected: unknown = await redactRejections(handlers, redact)
      .startServer('a')
      .catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(PanelError);
    expect(rejected).toMatchObject({
      code: 'START_FAILED',
      message: 'said [redacted]',
      remedy: 'change [redacted]',
      data: { exitCode: 1 },
    });
  });

  it('takes secrets out of all that a report carries to the page', async () => {
    const data = { field: 'env.s3cret', statement: 'found s3cret', causeLines: ['one', 's3cret'] };
    const short = { phrase: 'said s3cret', brief: 's3cret', hasMore: true } as const;
    const handlers = {
      putServer: () => Promise.reject(new PanelError('CONFIG_INVALID', 's3cret', { data, short })),
    } as unknown as CallHandlers;
    const rejected: unknown = await redactRejections(handlers, redact)
      .putServer({ name: 'a' })
      .catch((error: unknown) => error);
    const report = toErrorReport(rejected, 'PROTOCOL_ERROR');
    expect(JSON.stringify(report)).not.toContain('s3cret');
    expect(report).toMatchObject({
      causeLines: ['one', '[redacted]'],
      data: { phrase: 'said [redacted]', brief: '[redacted]', hasMore: true, field: 'env.[redacted]' },
    });
  });

  it('hands on arguments, results and errors that are faults of ours', async () => {
    const fault = new TypeError('a fault');
    const handlers = {
      getHistory: async (...args: unknown[]) => args,
      getSnapshot: () => Promise.reject(fault),
    } as unknown as CallHandlers;
    const { getHistory, getSnapshot } = redactRejections(handlers, redact);
    expect(await getHistory('s3cret', 7)).toEqual(['s3cret', 7]);
    await expect(getSnapshot()).rejects.toBe(fault);
  });
});
