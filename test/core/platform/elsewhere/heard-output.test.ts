import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameSplitter, secondsOf } from '../../../../electron/core/platform/elsewhere/container-lines.ts';
import { HeardOutput } from '../../../../electron/core/platform/elsewhere/box-outputs.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { frameOf, logOf } from '../../../fixtures/engine/fake-engine.ts';

/** Cuts bytes into parts of these lengths, again and again. */
function cutBy(bytes: Buffer, lengths: readonly number[]): readonly Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const length = lengths[turn % lengths.length] ?? 1;
    parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  return parts;
}

const text = fc.oneof(
  fc.constantFrom('\n', '\n\n', 'same\n', 'ä', 'a longer part without an end'),
  fc.string(),
);
const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });

describe('frames of an attached container', () => {
  it('are read the same wherever they are cut', () => {
    const frames = fc.array(fc.tuple(fc.constantFrom('stdout', 'stderr'), text));
    fc.assert(
      fc.property(frames, lengths, (said, cuts) => {
        const heard = { stdout: '', stderr: '' };
        const whole = new Map<string, string>();
        let frame = '';
        const splitter = new FrameSplitter((output, part, isLast) => {
          heard[output] += part.toString('latin1');
          frame += part.toString('latin1');
          if (!isLast) return;
          whole.set(`${whole.size}`, frame);
          frame = '';
        });
        const bytes = Buffer.concat(said.map(([output, words]) => frameOf(output, Buffer.from(words))));
        for (const part of cutBy(bytes, cuts)) splitter.push(part);
        for (const output of ['stdout', 'stderr'] as const) {
          const own = said.filter(([one]) => one === output).map(([, words]) => words);
          expect(heard[output]).toBe(Buffer.from(own.join('')).toString('latin1'));
        }
        expect([...whole.values()].length).toBe(said.filter(([, words]) => words !== '').length);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

describe('what was heard of a container', () => {
  it('is complete and never doubled over a hundred cuts, in the midst of lines and of the log', () => {
    const phase = fc.record({
      /** Said while connected, heard in parts, of which the last ones are lost with the cut. */
      heardParts: lengths,
      said: fc.array(text, { maxLength: 6 }),
      lost: fc.nat(30),
      /** Entries of the log that are read before it is cut as well; of the last reading all are. */
      readEntries: fc.nat(12),
    });
    fc.assert(
      fc.property(
        fc.array(phase, { minLength: 1, maxLength: 100 }),
        fc.integer({ min: 1, max: 4 }),
        (phases, perTime) => {
          let heard = '';
          const output = new HeardOutput((part) => (heard += part.toString('latin1')));
          let all = '';
          const read = (limit: number) => {
            const entries = logOf(Buffer.from(all, 'latin1'), perTime).filter(
              ({ time }) => time >= output.since,
            );
            output.logBegins();
            for (const { time, entry } of entries.slice(0, limit)) output.takeEntry(time, entry);
          };
          phases.forEach(({ heardParts, said, lost, readEntries }, at) => {
            const words = Buffer.from(said.join('')).toString('latin1');
            all += words;
            // Only the first connection brings output by itself, later ones bring the log.
            if (at > 0) return read(readEntries);
            const arrived = words.slice(0, Math.max(0, words.length - lost));
            for (const part of cutBy(Buffer.from(arrived, 'latin1'), heardParts)) output.hear(part);
          });
          read(Infinity);
          expect(heard).toBe(all);
        },
      ),
      { numRuns: propertyRuns(200) },
    );
  });

  it('goes on with the next line where the log has other bytes of a long one', () => {
    let heard = '';
    const output = new HeardOutput((part) => (heard += part.toString()));
    output.hear(Buffer.from('one\na long line th'));
    output.logBegins();
    output.takeEntry('1', Buffer.from('one\n'));
    output.takeEntry('2', Buffer.from('a long li\n'));
    output.takeEntry('3', Buffer.from('three\n'));
    expect(heard).toBe('one\na long line th\nthree\n');
  });

  it('begins at a time where an earlier panel has heard what was before', () => {
    let heard = '';
    const output = new HeardOutput((part) => (heard += part.toString()), '2026-01-01T00:00:05.000Z');
    output.logBegins();
    output.takeEntry('2026-01-01T00:00:04.999999999Z', Buffer.from('before\n'));
    output.takeEntry('2026-01-01T00:00:05.100000000Z', Buffer.from('after\n'));
    expect(heard).toBe('after\n');
  });

  it('asks for the log by seconds and nanoseconds', () => {
    expect(secondsOf('2026-01-01T00:00:05.000000012Z')).toBe('1767225605.000000012');
    expect(secondsOf('2026-01-01T00:00:05Z')).toBe('1767225605.000000000');
    expect(secondsOf('2026-01-01T00:00:05.5Z')).toBe('1767225605.500000000');
  });
});
