import { defineRule, type Rule } from '../rule.ts';
import { answerStatus, forceQuery } from '../sabotage/transforms.ts';
import type { Json } from '../verbs/client.ts';
import { type FieldRule, pathsOf, valueAt } from './field-rules.ts';

/** A list is one whole to apply: two managers cannot each own a part of it. */
export function atomicRule({
  id,
  kind,
  first,
  second,
  path,
}: FieldRule & { first: Json; second: Json; path: string }): Rule {
  return defineRule(id, {
    sabotage: [
      answerStatus(200, { ...pathsOf(kind), method: 'PATCH', instead: 409 }),
      forceQuery('force', 'true', { ...pathsOf(kind), method: 'PATCH' }),
    ],
    async check(context) {
      const { expect, unique } = context;
      const objects = context[kind];
      const name = unique();
      await objects.apply(name, first, 'first');
      expect((await objects.tryApply(name, second, 'second')).status, 'another list by another manager').toBe(409);
      const forced = await objects.tryApply(name, second, 'second', { force: 'true' });
      expect(forced.status, 'the other list, forced').toBe(200);
      expect(valueAt(forced.body, path), 'nothing of the first list is left').toHaveLength(
        valueAt(second, path).length,
      );
    },
  });
}
