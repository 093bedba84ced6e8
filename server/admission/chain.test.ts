import { expect, it } from 'vitest';
import type { AdmissionPlugin } from './admission.ts';
import { admissionChain } from './chain.ts';
import { attributesFor } from './plugins.fixture.ts';

const said: string[] = [];
const judge: AdmissionPlugin = { name: 'c', handles: () => true, validate: () => void said.push('c judges') };
const plugin = (name: string, more: Partial<AdmissionPlugin> = {}): AdmissionPlugin => ({
  name,
  handles: () => true,
  mutate: () => void said.push(`${name} changes`),
  validate: () => void said.push(`${name} judges`),
  ...more,
});

it('asks in order, first all to change and then all to judge, each only about what it handles', async () => {
  said.length = 0;
  const chain = admissionChain([plugin('a'), plugin('b', { handles: () => false }), judge, plugin('d')]);
  await chain.mutate(attributesFor('configmaps', {}));
  await chain.validate(attributesFor('configmaps', {}));
  expect(said).toEqual(['a changes', 'd changes', 'a judges', 'c judges', 'd judges']);
});

it('stops at the first that refuses', async () => {
  said.length = 0;
  const refuses = async () => {
    throw new Error('refused');
  };
  const chain = admissionChain([plugin('a'), plugin('b', { mutate: refuses }), plugin('c')]);
  await expect(chain.mutate(attributesFor('configmaps', {}))).rejects.toThrow('refused');
  expect(said).toEqual(['a changes']);
});

it('asks everybody once more when one wants to look again', async () => {
  said.length = 0;
  const again = async () => async () => void said.push('b looks again');
  const chain = admissionChain([plugin('a'), plugin('b', { mutate: again }), plugin('c')]);
  await chain.mutate(attributesFor('configmaps', {}));
  expect(said).toEqual(['a changes', 'c changes', 'a changes', 'b looks again', 'c changes']);
});
