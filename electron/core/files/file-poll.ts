import type { Clock, Disposable } from '../clock.ts';
import { readSignature } from './file-content.ts';

/** This interval and the settling time of half-written files keep every outside edit well below a second. */
const POLL_MS = 400;

export interface FilePollOptions {
  readonly path: string;
  readonly clock: Clock;
  /** The file may have changed. Called again one poll later, since two writes within one tick of the file system's clock look alike. */
  readonly onTouched: () => void;
}

/**
 * Looks at one file's time stamps again and again. Not `fs.watch`: on a folder that also holds a database and logs it
 * wakes us for every write to those, it is silent on network drives, and for one file a look costs microseconds.
 */
export function pollFile({ path, clock, onTouched }: FilePollOptions): Disposable {
  let isDisposed = false;
  let known: string | undefined;
  let wasTouched = false;
  let timer: Disposable = clock.setTimeout(() => void look(), POLL_MS);
  const look = async () => {
    const signature = await readSignature(path);
    if (isDisposed) return;
    const isTouched = known !== signature;
    known = signature;
    if (isTouched || wasTouched) onTouched();
    wasTouched = isTouched;
    timer = clock.setTimeout(() => void look(), POLL_MS);
  };
  return {
    dispose: () => {
      isDisposed = true;
      timer.dispose();
    },
  };
}
