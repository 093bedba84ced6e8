import { defineRule } from '../../rule.ts';
import { loseWrite, removeIn, replaceIn } from '../../sabotage/transforms.ts';

const reads = { method: 'GET', path: /\/(secrets|jobs)\/[^/]+$/ };

export default [
  defineRule('apply.remove.sole-owner', {
    sabotage: [loseWrite({ method: 'PATCH', nth: 2 }), replaceIn('data', { ...reads, with: { a: 'aaaa', b: 'aaaa' } })],
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, { data: { a: 'aaaa', b: 'aaaa' } }, 'applier');
      await secrets.tryApply(name, { data: { a: 'aaaa' } }, 'applier');
      expect((await secrets.read(name)).data).toEqual({ a: 'aaaa' });
    },
  }),

  defineRule('apply.remove.other-owner', {
    sabotage: removeIn('data.b', reads),
    async check({ secrets, unique, expect }) {
      const name = unique();
      await secrets.apply(name, { data: { a: 'aaaa', b: 'aaaa' } }, 'first');
      await secrets.apply(name, { data: { b: 'aaaa' } }, 'second');
      await secrets.apply(name, { data: { a: 'aaaa' } }, 'first');
      expect((await secrets.read(name)).data).toEqual({ a: 'aaaa', b: 'aaaa' });
    },
  }),

  defineRule('apply.remove.default', {
    sabotage: [removeIn('spec.backoffLimit', reads), replaceIn('spec.backoffLimit', { ...reads, with: 2 })],
    async check({ jobs, expect }) {
      const { metadata, spec } = jobs.sample({ spec: { suspend: true } });
      await jobs.apply(metadata.name, { spec: { ...spec, backoffLimit: 2 } }, 'applier');
      await jobs.apply(metadata.name, { spec }, 'applier');
      expect((await jobs.read(metadata.name)).spec.backoffLimit).toBe(6);
    },
  }),
];
