import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../electron/core/deferred.ts';
import { DisposeStack } from '../../electron/core/dispose-stack.ts';

describe('DisposeStack', () => {
  it('undoes in reverse order, waiting for each step', async () => {
    const stack = new DisposeStack();
    const order: string[] = [];
    stack.add(() => order.push('first built'));
    stack.add(async () => {
      await Promise.resolve();
      order.push('last built');
    });
    await stack.dispose();
    expect(order).toEqual(['last built', 'first built']);
  });

  it('runs every step although some fail, and tells all causes', async () => {
    const stack = new DisposeStack();
    let isReleased = false;
    stack.add(() => (isReleased = true));
    stack.add(() => Promise.reject(new Error('later')));
    stack.add(() => {
      throw new Error('at once');
    });
    const failure: unknown = await stack.dispose().catch((error: unknown) => error);
    expect(isReleased).toBe(true);
    expect((failure as AggregateError).errors.map(String)).toEqual(['Error: at once', 'Error: later']);
  });

  it('does nothing more the second time but waits for the first, and says from then on that it is disposed', async () => {
    const stack = new DisposeStack();
    const step = createDeferred<void>();
    const order: string[] = [];
    stack.add(async () => {
      order.push('step');
      await step.promise;
    });
    expect(stack.isDisposed).toBe(false);
    const first = stack.dispose();
    expect(stack.isDisposed).toBe(true);
    const second = stack.dispose().then(() => order.push('second over'));
    await Promise.resolve();
    expect(order).toEqual(['step']);
    step.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['step', 'second over']);
  });
});
