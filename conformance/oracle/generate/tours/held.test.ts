import { expect, it } from 'vitest';
import { heldScenario } from './held.ts';

const { steps } = heldScenario();

it('a user, a group and an account hold rights, each by another sort of binding, and wait until these count', () => {
  const bindings = steps.flatMap(({ body }) => (body && 'json' in body && body.json.roleRef ? [body.json] : []));
  expect(bindings.map((one) => [one.kind, one.roleRef.kind, one.subjects[0].kind])).toEqual([
    ['RoleBinding', 'Role', 'User'],
    ['RoleBinding', 'ClusterRole', 'Group'],
    ['ClusterRoleBinding', 'ClusterRole', 'ServiceAccount'],
  ]);
  expect(steps.filter(({ awaits }) => awaits === 404)).toHaveLength(3);
});

it('each is asked about in the same questions, and nothing changes by them', () => {
  const reviews = steps.filter(({ path }) => path.endsWith('/subjectaccessreviews'));
  const attributes = reviews.map(({ body }) => {
    const { user: _, groups: __, ...spec } = (body as { json: { spec: Record<string, unknown> } }).json.spec;
    return JSON.stringify(spec);
  });
  expect(new Set(attributes).size * 3).toBe(attributes.length);
  expect(reviews.every(({ alongside }) => alongside)).toBe(true);
});
