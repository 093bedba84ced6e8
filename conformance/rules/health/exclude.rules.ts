import { defineRule } from '../../rule.ts';
import { changeText } from '../../sabotage/transforms.ts';

export default [
  // A check left out has a line `[+]<check> excluded: ok`.
  defineRule('health.exclude.line', {
    sabotage: [
      changeText('leaves excluded checks out', (text) => text.replace(/^.*excluded: ok\n/m, ''), {
        query: { exclude: true },
      }),
      changeText(
        'excludes no check with a slash in its name',
        (text) => text.replace(/(\/\S+) excluded: ok/, '$1 ok'),
        {
          query: { exclude: true },
        },
      ),
    ],
    async check({ send, expect }) {
      const checks = (await send('GET', '/readyz?verbose')).text.matchAll(/^\[\+\](\S+) ok$/gm);
      const all = [...checks].map(([, name = '']) => name);
      // Names may have a slash, as those of what runs after the start.
      const names = [...all.slice(0, 3), ...all.filter((name) => name.includes('/')).slice(0, 1)];
      expect(names, 'checks to exclude').not.toEqual([]);
      for (const exclude of [names.slice(0, 1), names]) {
        const query = ['verbose=true', ...exclude.map((name) => `exclude=${encodeURIComponent(name)}`)].join('&');
        const lines = (await send('GET', '/readyz', { query })).text.split('\n');
        for (const name of exclude) expect(lines).toContain(`[+]${name} excluded: ok`);
      }
    },
  }),
];
