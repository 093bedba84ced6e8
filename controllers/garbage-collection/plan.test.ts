import { describe, expect, test } from 'vitest';
import type { KubeObject, OwnerReference } from '../runtime/kube-object.ts';
import { type OwnerState, planDependent, planOwner } from './plan.ts';

const owner = (uid: string, blockOwnerDeletion = true): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: uid,
  uid,
  blockOwnerDeletion,
});
const object = (uid: string, owners: OwnerReference[] = [], more: object = {}): KubeObject => ({
  metadata: { uid, name: uid, ownerReferences: owners, ...more },
});
const deletedInForeground = { deletionTimestamp: 'now', finalizers: ['foregroundDeletion'] };

describe('a dependent', () => {
  const plan = (states: Record<string, OwnerState>, dependents: KubeObject[] = [], more: object = {}) =>
    planDependent(
      object(
        'd',
        Object.keys(states).map((uid) => owner(uid)),
        more,
      ),
      ({ uid }) => states[uid] as OwnerState,
      dependents,
    );

  test.each<[string, ReturnType<typeof plan>, object]>([
    ['without owners is left alone', plan({}), { do: 'nothing' }],
    ['with a living owner stays', plan({ a: 'there' }), { do: 'nothing' }],
    [
      'with one owner left loses the references to the others',
      plan({ a: 'there', b: 'absent', c: 'waiting for dependents' }),
      { do: 'drop owners', uids: ['b', 'c'] },
    ],
    [
      'whose owners are all gone goes',
      plan({ a: 'absent', b: 'absent' }),
      { do: 'delete', policy: 'Background', unblock: false },
    ],
    ['with an owner nobody knows stays', plan({ a: 'absent', b: 'unknown' }), { do: 'nothing' }],
    ['that is going already is left alone', plan({ a: 'absent' }, [], { deletionTimestamp: 'now' }), { do: 'nothing' }],
    [
      'keeps its own wish to orphan',
      plan({ a: 'absent' }, [], { finalizers: ['orphan'] }),
      { do: 'delete', policy: 'Orphan', unblock: false },
    ],
    [
      'keeps its own wish to wait',
      plan({ a: 'absent' }, [], { finalizers: ['foregroundDeletion'] }),
      { do: 'delete', policy: 'Foreground', unblock: false },
    ],
    [
      'of a waiting owner goes',
      plan({ a: 'waiting for dependents' }),
      { do: 'delete', policy: 'Background', unblock: false },
    ],
    [
      'of a waiting owner waits for its own',
      plan({ a: 'waiting for dependents' }, [object('x')]),
      { do: 'delete', policy: 'Foreground', unblock: false },
    ],
    [
      'in a circle stops blocking',
      plan({ a: 'waiting for dependents' }, [object('a', [], deletedInForeground)]),
      { do: 'delete', policy: 'Foreground', unblock: true },
    ],
  ])('%s', (_, actual, expected) => expect(actual).toEqual(expected));
});

describe('an owner', () => {
  test('that is not deleted has nothing to do', () => {
    expect(planOwner(object('o', [], { finalizers: ['foregroundDeletion'] }), [])).toEqual({ do: 'nothing' });
  });

  test('waits for those that block it, and for no others', () => {
    const blocking = object('b', [owner('o')]);
    const plan = planOwner(object('o', [], deletedInForeground), [blocking, object('c', [owner('o', false)])]);
    expect(plan).toEqual({ do: 'wait', blocking: [blocking] });
    expect(planOwner(object('o', [], deletedInForeground), [object('c', [owner('o', false)])])).toEqual({
      do: 'finish',
    });
  });

  test('waits for none that blocks another owner alone', () => {
    const shared = object('s', [owner('o', false), owner('other')]);
    expect(planOwner(object('o', [], deletedInForeground), [shared])).toEqual({ do: 'finish' });
  });

  test('that orphans lets its dependents go first', () => {
    const dependents = [object('d', [owner('o')])];
    expect(planOwner(object('o', [], { deletionTimestamp: 'now', finalizers: ['orphan'] }), dependents)).toEqual({
      do: 'orphan',
      dependents,
    });
  });
});
