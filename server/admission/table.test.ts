import { expect, it } from 'vitest';
import { carryOut } from '../base/turns/work.ts';
import type { AdmissionPlugin } from './admission.ts';
import { type Concern, writes } from './concern.ts';
import { attributesFor } from './plugins/plugins.fixture.ts';
import { AdmissionTable } from './table.ts';

const said: string[] = [];
const everything: Concern = { operations: ['*'], subresources: ['*'] };
const plugin = (name: string, more: Partial<AdmissionPlugin> = {}): AdmissionPlugin => ({
  name,
  cares: [everything],
  mutate: () => void said.push(`${name} changes`),
  validate: () => void said.push(`${name} judges`),
  ...more,
});
const judge: AdmissionPlugin = { name: 'c', cares: [everything], validate: () => void said.push('c judges') };
const ofConfigMaps = (plugins: readonly AdmissionPlugin[]) =>
  new AdmissionTable(plugins).passes('CREATE', { group: '', plural: 'configmaps' }, '');
const map = () => attributesFor('configmaps', {});

it('asks in order, first all to change and then all to judge, and wakes nobody who cares about others', async () => {
  said.length = 0;
  const aboutPods = plugin('b', { cares: [writes('', 'pods', 'CREATE')] });
  const passes = ofConfigMaps([plugin('a'), aboutPods, judge, plugin('d')]);
  expect(await carryOut(passes.mutate(map()))).toBe(true);
  await carryOut(passes.validate(map()));
  expect(said).toEqual(['a changes', 'd changes', 'a judges', 'c judges', 'd judges']);
});

it('stops at the first that refuses', async () => {
  said.length = 0;
  const refuses = async () => {
    throw new Error('refused');
  };
  const passes = ofConfigMaps([plugin('a'), plugin('b', { mutate: refuses }), plugin('c')]);
  await expect(carryOut(passes.mutate(map()))).rejects.toThrow('refused');
  expect(said).toEqual(['a changes']);
});

it('asks everybody once more when one wants to look again', async () => {
  said.length = 0;
  const again = async () => async () => void said.push('b looks again');
  await carryOut(ofConfigMaps([plugin('a'), plugin('b', { mutate: again }), plugin('c')]).mutate(map()));
  expect(said).toEqual(['a changes', 'c changes', 'a changes', 'b looks again', 'c changes']);
});

it('says whether anybody takes part, and whether the object may have changed', async () => {
  const check = { name: 'x', cares: [writes('', 'configmaps', 'CREATE')], check: () => void said.push('x checks') };
  const table = new AdmissionTable([check]);
  const created = table.passes('CREATE', { group: '', plural: 'configmaps' }, '');
  expect(created).toMatchObject({ mutates: true, validates: false });
  expect(await carryOut(created.mutate(map()))).toBe(false);
  for (const [operation, resource, subresource] of [
    ['UPDATE', 'configmaps', ''],
    ['CREATE', 'secrets', ''],
    ['CREATE', 'configmaps', 'status'],
  ] as const) {
    expect(table.passes(operation, { group: '', plural: resource }, subresource)).toMatchObject({ mutates: false });
  }
});

it('wakes who cares about the same objects in another group, if that is asked for', () => {
  const equivalentsOf = (group: string) =>
    group === 'events.k8s.io' ? [{ group: '', resource: 'events' }] : [{ group: 'events.k8s.io', resource: 'events' }];
  const rule = writes('', 'events', 'CREATE');
  const mutates = (cares: Concern) =>
    new AdmissionTable([plugin('a', { cares: [cares] })], { equivalentsOf }).passes(
      'CREATE',
      { group: 'events.k8s.io', plural: 'events' },
      '',
    ).mutates;
  expect(mutates(rule)).toBe(false);
  expect(mutates({ ...rule, equivalents: true })).toBe(true);
});

it('learns of those who change their mind', () => {
  let cares: readonly Concern[] = [];
  const fickle: AdmissionPlugin = {
    name: 'fickle',
    get cares() {
      return cares;
    },
    mutate() {},
  };
  const table = new AdmissionTable([fickle]);
  const mutates = () => table.passes('CREATE', { group: '', plural: 'pods' }, '').mutates;
  expect(mutates()).toBe(false);
  cares = [everything];
  expect(mutates()).toBe(false);
  table.renew();
  expect(mutates()).toBe(true);
});
