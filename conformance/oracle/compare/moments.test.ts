import { describe, expect, it } from 'vitest';
import type { Observation } from '../play/observation.ts';
import { differencesOf } from './differ.ts';
import { differs, seen, step } from './two-answers.fixture.ts';

describe('moments', () => {
  const first = step('s1');

  it('may end a second apart, however late that is, and not an hour', () => {
    const ending = (time: string): Observation[] => [seen(first, { status: { expirationTimestamp: time } })];
    expect(differs(ending('2160-05-06T07:08:09Z'), ending('2160-05-06T07:08:10Z'))).toEqual([]);
    expect(differs(ending('2160-05-06T07:08:09Z'), ending('2160-05-06T08:08:09Z'))).toEqual([
      'status.expirationTimestamp',
    ]);
  });

  it('differ where they are not near, and by how fine they are', () => {
    const at = (time: string): Observation[] => [seen(first, { spec: { time } })];
    expect(differs(at('2024-05-06T07:08:10Z'), at('2024-05-06T07:08:12Z'))).toEqual([]);
    expect(differs(at('2024-05-06T07:08:10Z'), at('2024-05-06T07:09:10Z'))).toEqual(['spec.time']);
    expect(differs(at('2024-05-06T07:08:10Z'), at('2024-05-06T07:08:10.000001Z'))).toEqual(['spec.time']);
    expect(differs(at('1999-05-06T07:08:10Z'), at('1999-05-06T07:08:11Z'))).toEqual(['spec.time']);
  });

  it('may be further apart in time when one play took longer', () => {
    const at = (seconds: number) => ({ status: 200, headers: {}, body: { $seconds: seconds, $digits: 0 } });
    expect(differencesOf(at(40), at(60))).toHaveLength(1);
    expect(differencesOf(at(40), at(60), 10)).toEqual([]);
  });
});
