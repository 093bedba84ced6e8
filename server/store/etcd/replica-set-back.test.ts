import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { CompactedError } from '../store.ts';
import { OtherEtcdError } from './etcd-client.ts';
import { bytesOf, kvOf, replicaOf } from './replica.fixture.ts';

describe('an etcd that went back to an older state', () => {
  const wentBack = 'etcd went back from revision 7 to 6';

  it('is not read from what was known of it', async () => {
    const { replica, tell, says } = await replicaOf();
    tell(['a', 7]);
    says(7);
    await replica.newest();
    says(6);
    await expect(replica.newest()).rejects.toThrow(wentBack);
    says(8);
    await expect(replica.newest(), 'whatever it says later').rejects.toThrow(wentBack);
    expect(() => replica.complete).toThrow(wentBack);
  });

  it('is watched by nobody any more: who did is told, and who comes is refused', async () => {
    const { replica, tell, says } = await replicaOf();
    tell(['a', 7]);
    const lost: Error[] = [];
    const follow = () =>
      replica.versions.watch({ prefix: '/things/', after: 7, sink: () => {}, lost: (error) => void lost.push(error) });
    follow();
    says(6);
    await expect(replica.newest()).rejects.toThrow(wentBack);
    expect(lost).toEqual([new CompactedError(7)]);
    expect(follow).toThrow(wentBack);
  });

  describe('and was written to since, so that its revision says nothing', () => {
    const otherStory = 'etcd tells of other changes than the ones that are known';
    const broken = new Error('the connection is broken');

    it.each<[string, readonly (readonly [string, number])[]]>([
      [
        'another key under the revision that is known',
        [
          ['b', 7],
          ['c', 9],
        ],
      ],
      ['nothing under it', [['c', 9]]],
    ])('is noticed by %s', async (_, told) => {
      const { replica, tell, ends, beginsToTell, watchesAgain, reported, events } = await replicaOf();
      tell(['a', 7]);
      ends(broken);
      await watchesAgain();
      beginsToTell(9);
      tell(...told);
      await settled();
      expect(reported.map(String)).toEqual([expect.stringContaining(otherStory)]);
      expect(() => replica.versions).toThrow(otherStory);
      expect(events, 'none of it is told on').toEqual(['+/things/a 7']);
    });

    it('is noticed by another value of the key that was written last', async () => {
      const { replica, tell, ends, watchesAgain } = await replicaOf();
      replica.wrote('/things/a', 6, bytesOf('as it was written here'));
      ends(broken);
      await watchesAgain();
      tell(['a', 6]);
      await settled();
      expect(() => replica.versions).toThrow(otherStory);
    });

    it('is noticed in place of a removal, of which a watch tells that begins before it', async () => {
      const { replica, tell, ends, watchesAgain, watchedFrom } = await replicaOf();
      tell(['a', 6]);
      replica.wrote('/things/a', 7, undefined);
      ends(broken);
      await watchesAgain();
      expect(watchedFrom()).toBe(6);
      tell(['a', 6], ['b', 7], ['c', 8]);
      await settled();
      expect(() => replica.versions).toThrow(otherStory);
    });

    it('cannot be told from one that gave up all before a removal, which is followed from there', async () => {
      const { replica, tell, ends, watchesAgain, watchedFrom, names, reported } = await replicaOf();
      tell(['a', 6]);
      replica.wrote('/things/a', 7, undefined);
      ends(broken);
      await watchesAgain();
      ends(new CompactedError(6));
      expect(watchedFrom()).toBe(7);
      tell(['c', 8]);
      expect(names()).toEqual(['c']);
      expect(reported).toEqual([]);
    });

    it.each([
      ['an older version of an object', kvOf('a', 6)],
      ['another object under the same revision', kvOf('a', 7, bytesOf('another'))],
    ])('is noticed by %s, when all is read anew', async (_, now) => {
      const { replica, tell, forget, reported } = await replicaOf();
      tell(['a', 7]);
      forget([now], 12, Promise.resolve());
      await settled();
      expect(() => replica.versions).toThrow(otherStory);
      expect(reported.map(String)).toEqual([expect.stringContaining(otherStory)]);
    });

    it('is not what an etcd looks like that goes on where it was, or that was read anew', async () => {
      const { replica, tell, ends, watchesAgain, forget, names, reported } = await replicaOf();
      tell(['other', 7], ['a', 7]);
      ends(broken);
      await watchesAgain();
      tell(['other', 7], ['a', 7], ['b', 8]);
      replica.wrote('/things/b', 9, undefined);
      ends(broken);
      await watchesAgain();
      ends(new CompactedError(8));
      tell(['c', 10]);
      forget([kvOf('d', 12)], 12, Promise.resolve());
      await settled();
      tell(['d', 12], ['e', 13]);
      expect(names()).toEqual(['d', 'e']);
      expect(reported).toEqual([]);
    });
  });

  it('is as one that is another etcd altogether', async () => {
    const { replica, ends, reported } = await replicaOf();
    ends(new OtherEtcdError('another etcd'));
    expect(() => replica.versions).toThrow('another etcd');
    expect(reported).toHaveLength(1);
  });

  it('is noticed when it is watched anew, and is not taken for a member that lags behind', async () => {
    const { tell, says, beginsToTell, reported } = await replicaOf();
    tell(['a', 7]);
    says(7);
    beginsToTell(6);
    await settled();
    expect(reported).toEqual([]);
    says(6);
    beginsToTell(6);
    await settled();
    expect(reported.map(String)).toEqual([expect.stringContaining(wentBack)]);
  });
});
