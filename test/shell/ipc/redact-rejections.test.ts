import { describe, expect, it } from 'vitest';
import { redactRejection } from '../../../electron/shell/ipc/call-dispatcher.ts';
import { PanelError, toErrorReport } from '../../../shared/error-codes.ts';

const redact = async (text: string) => text.replaceAll('s3cret', '[redacted]');

describe('redactRejection', () => {
  it('takes secrets out of messages and remedies, and leaves code and data', async () => {
    const more = { remedy: 'change s3cret', data: { exitCode: 1 } };
    const rejected = await redactRejection(new PanelError('START_FAILED', 'said s3cret', more), redact);
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
    const error = new PanelError('CONFIG_INVALID', 's3cret', { data, short });
    const report = toErrorReport(await redactRejection(error, redact), 'PROTOCOL_ERROR');
    expect(JSON.stringify(report)).not.toContain('s3cret');
    expect(report).toMatchObject({
      causeLines: ['one', '[redacted]'],
      data: { phrase: 'said [redacted]', brief: '[redacted]', hasMore: true, field: 'env.[redacted]' },
    });
  });

  it('hands on errors that are faults of ours', async () => {
    const fault = new TypeError('a fault');
    expect(await redactRejection(fault, redact)).toBe(fault);
  });
});
