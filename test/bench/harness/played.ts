import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Process that plays what the panel reaches: it tells its address first, and what it has counted as often as it is asked. */
export async function startPlayed<Counted>(program: string, ...args: string[]) {
  const child = fork(program, args);
  const told = async <T>() => (await once(child, 'message'))[0] as T;
  const address = await told<string>();
  return {
    address,
    counted: () => {
      child.send('counted');
      return told<Counted>();
    },
    end: () => child.disconnect(),
  };
}

/** What such a process itself does, once it can be reached. */
export function play(address: string, counted: () => unknown, onEnd = () => {}): void {
  process.on('message', () => process.send?.(counted()));
  process.on('disconnect', () => {
    onEnd();
    process.exit();
  });
  process.send?.(address);
}
