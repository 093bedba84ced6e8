import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { nameOf } from '../../verbs/states.ts';
import type { Subject } from '../../verbs/subjects.ts';
import { changingWrites, saying, unversioned } from './writes.ts';

/** A change that says of its object that it is in another namespace is none, whichever way it is written. */
export async function staysInPlace(
  objects: Collection,
  expect: RuleContext['expect'],
  kind: Subject,
  place: string,
): Promise<void> {
  const name = nameOf(await objects.create());
  const writes = changingWrites.filter((write) => ['', 'status'].includes(write.sub) && write.fits(kind));
  for (const write of writes) {
    const send = async (namespace: string) => {
      const object = unversioned(kind, await objects.read(name));
      return write.send({ objects, object, kind: saying(kind, { namespace }) });
    };
    const astray = await send('default');
    expect(astray.status, `a ${write.name} of another namespace: ${astray.body?.message ?? ''}`).toBe(400);
    const here = await send(place);
    expect(here.status, `a ${write.name} of its own namespace: ${here.body?.message ?? ''}`).toBe(200);
  }
}
