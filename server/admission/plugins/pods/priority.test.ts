import { beforeEach, describe, expect, it } from 'vitest';
import type { Pod, PodSpec } from '../../../kinds/core/pod/shape.ts';
import { admitted, attributesFor, type PluginWorld, pluginWorld } from '../plugins.fixture.ts';
import { priority } from './priority.ts';

let world: PluginWorld;
beforeEach(async () => {
  world = await pluginWorld();
  await priorityClass('high', { value: 1000 });
  await priorityClass('gentle', { value: 500, preemptionPolicy: 'Never' });
});

const resource = 'priorityclasses.scheduling.k8s.io';
const priorityClass = (name: string, more: object) => world.put(resource, { metadata: { name }, ...more });
const podOf = (spec: PodSpec) => ({ metadata: { name: 'p', namespace: 'ns' }, spec: { ...spec } });
const write = (spec: PodSpec) => admitted(priority(world), attributesFor('pods', podOf(spec)));
const specOf = async (spec: PodSpec) => ((await write(spec)).object as Pod).spec;
const standard = { priority: 0, preemptionPolicy: 'PreemptLowerPriority' };
const wrongNumber = (given: number, computed: number) =>
  `pods "p" is forbidden: the integer value of priority (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;

describe('pods', () => {
  it.each<[string, PodSpec, PodSpec]>([
    ['no class', {}, standard],
    ['a class', { priorityClassName: 'high' }, { priorityClassName: 'high', ...standard, priority: 1000 }],
    [
      'a class that preempts nobody',
      { priorityClassName: 'gentle' },
      { priorityClassName: 'gentle', priority: 500, preemptionPolicy: 'Never' },
    ],
    [
      'the right number',
      { priorityClassName: 'high', priority: 1000 },
      { priorityClassName: 'high', ...standard, priority: 1000 },
    ],
    ['an empty class name', { priorityClassName: '' }, { priorityClassName: '', ...standard }],
  ])('with %s', async (_, given, expected) => {
    expect(await specOf(given)).toEqual(expected);
  });

  it('without a class get the lowest of the defaults, should there be several', async () => {
    for (const [name, value] of Object.entries({ middle: 7, lowest: -3, highest: 9 }))
      await priorityClass(name, { value, globalDefault: true });
    expect(await specOf({})).toEqual({ ...standard, priorityClassName: 'lowest', priority: -3 });
  });

  it.each<[string, PodSpec, string]>([
    [
      'a missing class',
      { priorityClassName: 'absent' },
      'pods "p" is forbidden: no PriorityClass with name absent was found',
    ],
    [
      'a class named like what every object has',
      { priorityClassName: 'constructor' },
      'pods "p" is forbidden: no PriorityClass with name constructor was found',
    ],
    ['another number', { priorityClassName: 'high', priority: 7 }, wrongNumber(7, 1000)],
    ['a number without a class', { priority: 7 }, wrongNumber(7, 0)],
    [
      'another policy',
      { priorityClassName: 'gentle', preemptionPolicy: 'PreemptLowerPriority' },
      'pods "p" is forbidden: the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided in pod spec; priority admission controller computed Never from the given PriorityClass name',
    ],
  ])('are refused with %s', async (_, given, message) => {
    expect((await write(given)).refusal).toMatchObject({ code: 403, message });
  });

  it('get the default class, of several the lowest, and none again when it is gone', async () => {
    await priorityClass('usual', { value: 42, globalDefault: true });
    await priorityClass('lower', { value: 41, globalDefault: true });
    expect(await specOf({})).toEqual({ priorityClassName: 'lower', ...standard, priority: 41 });
    await world.remove(resource, '', 'lower');
    await world.remove(resource, '', 'usual');
    expect(await specOf({})).toEqual(standard);
  });

  it('keep what they have when an update leaves it out', async () => {
    const old = podOf({ priority: 1000, preemptionPolicy: 'Never' });
    const { object } = await admitted(priority(world), attributesFor('pods', podOf({}), { oldObject: old as never }));
    expect((object as Pod).spec).toEqual(old.spec);
  });
});

describe('classes', () => {
  const write = (name: string, globalDefault: boolean, oldObject?: object) =>
    admitted(
      priority(world),
      attributesFor(resource, { metadata: { name }, globalDefault }, { oldObject: oldObject as never }),
    );

  it('are the default one at a time', async () => {
    expect((await write('first', true)).refusal).toBeUndefined();
    await priorityClass('first', { value: 1, globalDefault: true });
    expect((await write('second', true)).refusal).toMatchObject({
      code: 403,
      message:
        'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist',
    });
    expect((await write('second', false)).refusal).toBeUndefined();
    expect((await write('first', true, { metadata: { name: 'first' } })).refusal).toBeUndefined();
    expect((await write('high', true, { metadata: { name: 'high' } })).refusal?.code).toBe(403);
    expect((await write('first', true)).refusal?.code).toBe(403);
  });
});
