import { defineRule } from '../../rule.ts';
import { changeText } from '../../sabotage/transforms.ts';

export default [
  // A check left out has a line `[+]<check> excluded: ok`.
  defineRule('health.exclude.line', {
    sabotage: changeText('leaves excluded checks out', (text) => text.replace(/^.*excluded: ok\n/m, ''), {
      query: { exclude: true },
    }),
    async check({ send, expect }) {
      const name = /^\[\+\](\S+) ok$/m.exec((await send('GET', '/readyz?verbose')).text)?.[1] ?? '';
      expect(name, 'a check to exclude').not.toBe('');
      const { text } = await send('GET', '/readyz', { query: { verbose: 'true', exclude: name } });
      expect(text.split('\n')).toContain(`[+]${name} excluded: ok`);
    },
  }),
];
