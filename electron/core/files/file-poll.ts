import { delayInStep, type Clock, type Disposable } from '../clock.ts';
import { readSignature } from './file-content.ts';

/**
 * Interval of the polls in ms, at the same moments for all files. Together with the settling time of half-written files it
 * stays well below a second.
 */
const POLL_MS = 400;

export interface FilePollOptions {
  readonly path: string;
  readonly clock: Clock;
  /** Called when the file may have changed, and again one poll later, because two fast writes may have equal time stamps. */
  readonly onTouched: () => void;
}

/**
 * Polls the time stamps of one file. `fs.watch` is not used: on a folder with a database and logs it fires for every write to
 * those, it is silent on network drives, and for one file a poll costs microseconds.
 */
export function pollFile({ path, clock, onTouched }: FilePollOptions): Disposable {
  let isDisposed = false;
  let known: string | undefined;
  let wasTouched = false;
  const lookLater = () => clock.setTimeout(() => void look(), delayInStep(clock.now(), POLL_MS));
  const look = async () => {
    const signature = await readSignature(path);
    if (isDisposed) return;
    const isTouched = known !== signature;
    known = signature;
    if (isTouched || wasTouched) onTouched();
    wasTouched = isTouched;
    timer = lookLater();
  };
  let timer: Disposable = lookLater();
  return {
    dispose: () => {
      isDisposed = true;
      timer.dispose();
    },
  };
}
