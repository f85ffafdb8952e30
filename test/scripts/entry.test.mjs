import { describe, expect, it } from 'vitest';
import { describeError, requireNode, ScriptError } from '../../scripts/lib/entry.mjs';

describe('requireNode', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0'])('accepts %s', (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  it.each(['18.20.4', '20.18.3', '16.0.0'])('refuses %s and names it', (version) => {
    expect(() => requireNode(version)).toThrow(version);
  });
});

describe('describeError', () => {
  it('shows a known failure with its remedy and without a stack', () => {
    expect(describeError(new ScriptError('It is broken.', 'Mend it.'))).toBe('It is broken.\n  Mend it.');
  });

  it('shows where an unknown one comes from', () => {
    expect(describeError(new Error('surprise'))).toMatch(/surprise\n\s+at /);
  });
});
