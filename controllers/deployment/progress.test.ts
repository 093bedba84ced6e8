import { describe, expect, test } from 'vitest';
import type { Deployment, ReplicaSet } from '../runtime/resources.ts';
import { newSet, setsOf } from './replica-sets.ts';
import { deployment } from './rollout.fixture.ts';
import { statusOf } from './status.ts';

const now = Date.UTC(2024, 0, 1);

const limited = (spec: object = {}, image?: string): Deployment =>
  deployment({ progressDeadlineSeconds: 60, ...spec }, image);

const isOfProgress = ({ type }: { readonly type: string }) => type === 'Progressing';

/**
 * A deployment over time. Told at which second it is, what it asks for and what its sets count, it says why and since
 * which second it progresses, and after how many milliseconds that is looked at again.
 */
class Story {
  #status: Deployment['status'];

  at(seconds: number, asked: Deployment, ...counted: readonly object[]) {
    const sets = counted.map((status, index) => {
      const set = newSet(index + 1 < counted.length ? limited({}, `old${index}`) : asked, BigInt(index + 1), 4);
      return { ...set, status } as ReplicaSet;
    });
    const subject = { ...asked, ...(this.#status && { status: this.#status }) };
    const { status, checkAgainAfter } = statusOf(subject, setsOf(subject, sets), now + seconds * 1_000);
    this.#status = status ?? this.#status;
    const { reason, lastUpdateTime = '' } = this.#status?.conditions?.find(isOfProgress) ?? {};
    return [reason, (Date.parse(lastUpdateTime) - now) / 1_000, checkAgainAfter];
  }
}

const counts = (replicas: number, working: number) => ({
  replicas,
  readyReplicas: working,
  availableReplicas: working,
});

describe('a rollout that is done', () => {
  const done = ['NewReplicaSetAvailable', 0, undefined];

  test('stays done, whatever becomes of its pods and however many are wanted', () => {
    const story = new Story();
    expect(story.at(0, limited(), counts(4, 4))).toEqual(done);
    expect(story.at(10, limited(), counts(4, 3))).toEqual(done);
    expect(story.at(500, limited(), counts(4, 3))).toEqual(done);
    expect(story.at(510, limited({ replicas: 6 }), counts(6, 3))).toEqual(done);
    expect(story.at(520, limited({ replicas: 6 }), counts(6, 6))).toEqual(done);
  });

  test('is followed by that of the next template', () => {
    const story = new Story();
    story.at(0, limited(), counts(4, 4));
    expect(story.at(10, limited({}, 'v2'), counts(0, 0))).toEqual(['ReplicaSetUpdated', 10, 60_000]);
  });

  test('is so no more while pods of an older set are there again', () => {
    const story = new Story();
    story.at(0, limited(), counts(4, 4));
    expect(story.at(10, limited(), counts(1, 1), counts(4, 4))).toEqual(['ReplicaSetUpdated', 10, 60_000]);
  });
});

test.each<[string, readonly object[], readonly object[], boolean]>([
  ['one more pod is ready', [{ replicas: 3, readyReplicas: 1 }], [{ replicas: 3, readyReplicas: 2 }], true],
  ['one more is available', [{ replicas: 3, availableReplicas: 1 }], [{ replicas: 3, availableReplicas: 2 }], true],
  ['one more is made', [counts(2, 1)], [counts(3, 1)], true],
  ['an old one is gone', [counts(3, 3), counts(2, 1)], [counts(2, 2), counts(2, 2)], true],
  ['one is lost', [counts(3, 1)], [counts(2, 1)], false],
  ['an old one comes back', [counts(1, 1), counts(2, 1)], [counts(2, 1), counts(2, 1)], false],
  ['one is ready no more', [{ replicas: 3, readyReplicas: 2 }], [{ replicas: 3, readyReplicas: 1 }], false],
  ['one is available no more', [{ replicas: 3, availableReplicas: 2 }], [{ replicas: 3, availableReplicas: 1 }], false],
])('it is progress or not when %s', (_, before, after, isProgress) => {
  const story = new Story();
  story.at(0, limited(), ...before);
  const told = isProgress ? ['ReplicaSetUpdated', 30, 60_000] : ['ReplicaSetUpdated', 0, 30_000];
  expect(story.at(30, limited(), ...after)).toEqual(told);
});

test('a deployment without a deadline says nothing of progress', () => {
  const story = new Story();
  story.at(0, limited(), counts(1, 0));
  const endless = limited({ progressDeadlineSeconds: 2_147_483_647 });
  expect(story.at(10, endless, counts(2, 0))).toEqual([undefined, Number.NaN, undefined]);
});
