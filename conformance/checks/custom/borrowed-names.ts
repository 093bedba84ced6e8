import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';

const whole = { type: 'integer' };

/** A custom type whose kind a built-in one has as well, as many have. */
const borrowed = {
  ...{ kind: 'Deployment', alone: true },
  spec: { type: 'object', properties: { size: whole } },
  status: { type: 'object', properties: { ready: whole } },
  version: {
    subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' } },
  },
};

/** What is below a custom object is its own, though a built-in kind of another group is called the same. */
export async function keepsOwnParts(context: RuleContext): Promise<void> {
  const { expect } = context;
  const things = await customType(context, borrowed);
  const { name } = (await things.create({ spec: { size: 2 } })).metadata;
  const own = { apiVersion: `${things.at.group}/v1`, kind: borrowed.kind };
  const said = await things.patch(name, { spec: { size: 7 }, status: { ready: 1 } }, { sub: 'status' });
  expect(said.status, 'PATCH status').toBe(200);
  expect(said.body, 'its status').toMatchObject({ ...own, spec: { size: 2 }, status: { ready: 1 } });
  const scale = (await things.get(name, '', { sub: 'scale' })).body;
  expect(scale, 'its scale').toMatchObject({ kind: 'Scale', spec: { replicas: 2 }, status: { replicas: 1 } });
  const scaled = await things.patch(name, { spec: { replicas: 3 } }, { sub: 'scale' });
  expect(scaled.status, 'PATCH scale').toBe(200);
  expect((await things.get(name)).body, 'the object').toMatchObject({ ...own, spec: { size: 3 } });
}
