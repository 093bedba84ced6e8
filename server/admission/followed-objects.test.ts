import { beforeEach, describe, expect, it } from 'vitest';
import { FollowedObjects } from './followed-objects.ts';
import { type PluginWorld, pluginWorld } from './plugins/plugins.fixture.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
});

const names = (objects: readonly { metadata: { name?: string } }[]) => objects.map(({ metadata }) => metadata.name);

describe('followed objects', () => {
  it('are there from before and from after the start, by namespace and in order of names', async () => {
    const ranges = new FollowedObjects('', 'limitranges');
    await world.put('limitranges', { metadata: { name: 'b', namespace: 'one' } });
    await ranges.follow(world.store);
    await world.put('limitranges', { metadata: { name: 'a', namespace: 'one' } });
    await world.put('limitranges', { metadata: { name: 'c', namespace: 'two' } });
    await world.put('limitrangesandmore', { metadata: { name: 'z', namespace: 'one' } });
    expect(names(ranges.in('one'))).toEqual(['a', 'b']);
    expect(names(ranges.in('two'))).toEqual(['c']);
    expect(ranges.in('three')).toEqual([]);
  });

  it('show a change and a removal as soon as they are written', async () => {
    const { limitRanges } = world.followed;
    await world.put('limitranges', { metadata: { name: 'a', namespace: 'ns' }, mark: 1 });
    expect(limitRanges.get('ns', 'a')).toMatchObject({ mark: 1 });
    await world.store.update('/limitranges/ns/a', ({ value }) => ({
      write: { ...value, metadata: { ...value.metadata }, mark: 2 },
    }));
    expect(limitRanges.in('ns')).toMatchObject([{ mark: 2 }]);
    await world.remove('limitranges', 'ns', 'a');
    expect(limitRanges.in('ns')).toEqual([]);
    expect(limitRanges.get('ns', 'a')).toBeUndefined();
  });

  it('take names that every object has by themselves for names', async () => {
    const { priorityClasses } = world.followed;
    expect(priorityClasses.get('', 'constructor')).toBeUndefined();
    await world.put('priorityclasses.scheduling.k8s.io', { metadata: { name: '__proto__' } });
    expect(names(priorityClasses.in(''))).toEqual(['__proto__']);
  });

  it('change no more once they do not follow', async () => {
    const ranges = new FollowedObjects('', 'limitranges');
    await ranges.follow(world.store);
    ranges.stop();
    await world.put('limitranges', { metadata: { name: 'late', namespace: 'ns' } });
    expect(ranges.in('ns')).toEqual([]);
  });
});
