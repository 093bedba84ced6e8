import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import { said } from '../../verbs/said.ts';
import { nameOf } from '../../verbs/states.ts';
import { objectOf, whole } from './schema-parts.ts';

/**
 * A custom object may have members beside its spec. Where its status is written apart, they are written with the spec:
 * a write to the status leaves them as they are, and one to the object leaves the status.
 */
export async function keepsStatusApart(context: RuleContext): Promise<void> {
  const { expect } = context;
  const things = await customType(context, {
    beside: { data: objectOf({ size: whole }) },
    status: objectOf({ ready: whole }),
    version: { subresources: { status: {} } },
  });
  const name = nameOf(await things.create({ data: { size: 1 } }));
  const telling = (size: number, ready: number) => ({ data: { size }, status: { ready } });
  const told = await things.merge(name, telling(2, 1), 'status');
  expect(told, 'a patch of the status').toMatchObject(telling(1, 1));
  const put = await things.put({ ...(await things.read(name)), ...telling(3, 2) }, '', { sub: 'status' });
  expect(put.status, `an update of the status: ${said(put)}`).toBe(200);
  expect(await things.read(name), 'after an update of the status').toMatchObject(telling(1, 2));
  expect(put.body.metadata.generation, 'of which the status alone has changed').toBe(1);
  const changed = await things.merge(name, telling(4, 3));
  expect(changed, 'a patch of the object').toMatchObject(telling(4, 2));
  expect(changed.metadata.generation, 'after a patch of the object').toBe(2);
}
