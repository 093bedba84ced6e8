import { describe, expect, it } from 'vitest';
import { runRules } from './own-rules.ts';
import { defineOwnRule } from './rule.ts';

const keeps = defineOwnRule('house.config-maps.keep-data', {
  statement: 'A ConfigMap gives back what was put into it.',
  source: 'our handbook',
  async check({ configMaps, expect }) {
    const made = await configMaps.create({ data: { colour: 'red' } });
    expect(made.data).toEqual({ colour: 'red' });
  },
});
const breaks = defineOwnRule('house.config-maps.are-green', {
  statement: 'Every ConfigMap should be green.',
  level: 'should',
  async check({ configMaps, expect }) {
    const made = await configMaps.create({ data: { colour: 'red' } });
    expect(made.data.colour).toBe('green');
  },
});

describe('rules of one’s own', () => {
  it('judge the reference server, in their order, with what they say of themselves', async () => {
    const told: string[] = [];
    const results = await runRules([breaks, keeps], { onResult: ({ id }) => told.push(id) });
    expect(results).toMatchObject([
      {
        id: breaks.id,
        chapter: 'house',
        level: 'should',
        verdict: 'warn',
        statement: 'Every ConfigMap should be green.',
      },
      { id: keeps.id, level: 'must', verdict: 'pass', source: 'our handbook' },
    ]);
    expect(results[0]?.finding?.message).toContain('green');
    expect(told.toSorted()).toEqual([breaks.id, keeps.id].toSorted());
  });

  it('judge no other server than the one that is meant', async () => {
    const mistyped: object = { targt: { url: 'https://h' } };
    const message = 'there is no option "targt" (did you mean target?)';
    await expect(runRules([keeps], mistyped)).rejects.toMatchObject({ name: 'TypeError', message });
  });

  it('are not judged once the run has ended', async () => {
    const results = await runRules([keeps], { signal: AbortSignal.abort() });
    expect(results.filter(({ verdict }) => verdict === 'pass')).toEqual([]);
  });
});
