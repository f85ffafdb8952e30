import { engineOf } from '../../shared/container-run.ts';

/** Whether the words of a command line start a container that can access every file of this machine. */
export function seesWholeDisk(words: readonly string[]): boolean {
  const engine = words.findIndex((word) => engineOf(word) !== undefined);
  return engine >= 0 && words.slice(engine + 1).some(reachesAll);
}

function reachesAll(word: string): boolean {
  if (/^--privileged(?:$|=(?!false))/.test(word)) return true;
  // `-v /:/host`, `-v/:/host`, `-itv=/:/host`, `--volume=/:/host`, and the socket that controls an engine.
  const volume = word.replace(/^(?:--volume=|-[A-Za-z]{0,20}v=?)/, '');
  if (isWholeDisk(sourceOf(volume)) && volume.length > sourceOf(volume).length) return true;
  const fields = word.replace(/^--mount=/, '').split(',');
  return fields.some((field) => isWholeDisk(/^(?:source|src)=(.*)$/s.exec(field)?.[1] ?? ''));
}

/** Host folder before the colon of a volume; the colon of a drive is part of it. */
function sourceOf(volume: string): string {
  const drive = /^[A-Za-z]:[\\/]/.test(volume) ? 2 : 0;
  const colon = volume.indexOf(':', drive);
  return colon < 0 ? volume : volume.slice(0, colon);
}

/** Whether a path is the root of a disk in any notation, or the socket of a container engine. */
function isWholeDisk(path: string): boolean {
  if (/[\\/](?:docker|podman)\.sock$/.test(path)) return true;
  if (!/^(?:[A-Za-z]:)?[\\/]/.test(path)) return false;
  const left: string[] = [];
  for (const part of path.replace(/^[A-Za-z]:/, '').split(/[\\/]/)) {
    if (part === '..') left.pop();
    else if (part !== '' && part !== '.') left.push(part);
  }
  return left.length === 0;
}
